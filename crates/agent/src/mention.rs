//! Files that a prompt names with `@`: they are read before it is sent.
//!
//! An `@` is a mention only if what follows it is there; everything else is text, and stays as it is.

use std::fmt::Write as _;

use pollux_tools::{GIT, MEMORY};
use pollux_types::event::{Failure, FailureKind, NoticeKind};
use pollux_types::{Event, Part, PromptEnd};
use tokio_util::sync::CancellationToken;

use crate::own_command::reason;
use crate::schedule::Ended;
use crate::session::Agent;

/// The tool that reads them.
pub(crate) const TOOL: &str = "read_many_files";
/// Bytes of all that a prompt names.
const SHOWN_BYTES: usize = 400_000;

/// What stands around what was read.
const BEGINNING: &str = "\n\n--- Content from referenced files ---\n";
const END: &str = "--- End of content ---";

/// What may end a word, or the sentence around it.
const PUNCTUATION: &[char] = &[
    '.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '"', '\'', '`',
];

/// What a prompt names.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mentions {
    /// What is there, each but once.
    found: Vec<String>,
    /// What looks like a path and leads nowhere.
    missing: Vec<String>,
}

impl Agent {
    /// Puts what the prompt names behind it. Where that is not possible the prompt is not sent, and
    /// nothing is recorded; an end tells that the person has stopped it.
    pub(crate) async fn read_mentions(
        &mut self,
        prompt: &mut Vec<Part>,
        cancel: &CancellationToken,
    ) -> Result<Option<PromptEnd>, Failure> {
        let Some(Part::Text(text)) = prompt.first() else {
            return Ok(None);
        };
        tokio::select! {
            () = Box::pin(self.learn_resources(text)) => {}
            () = cancel.cancelled() => return Ok(Some(PromptEnd::UserCancelled)),
        }
        let Mentions { found, missing } = Mentions::of(text, |path| self.is_there(path));
        for path in missing {
            let message = format!("`@{path}` names no file, and is sent as text.");
            let kind = NoticeKind::NoSuchFile;
            self.emit(Event::Notice { kind, message }).await;
        }
        if found.is_empty() {
            return Ok(None);
        }
        let asked = found
            .iter()
            .map(|path| self.typed(TOOL, "name", self.meant(path)))
            .collect();
        let ended = self.carry_out(asked, cancel).await?;
        if cancel.is_cancelled() {
            return Ok(Some(PromptEnd::UserCancelled));
        }
        for message in self.servers.news() {
            let kind = NoticeKind::ServerRestarted;
            self.emit(Event::Notice { kind, message }).await;
        }
        prompt.insert(1, Part::text(block(&found, ended)?));
        Ok(None)
    }

    /// Asks servers what they have where only that tells whether the sentence ends with the name of a
    /// resource, or behind it.
    async fn learn_resources(&self, text: &str) {
        for word in words(text) {
            if word.may_end_before_its_end()
                && let Some((server, _)) = self.servers.split(&word.text)
            {
                self.servers.learn(server).await;
            }
        }
    }

    /// What a path means: `~` is the home directory, and what is not in the first directory of the
    /// project may be in another.
    fn meant(&self, path: &str) -> String {
        let workspace = &self.policy.workspace;
        let home = self.policy.home.as_ref();
        if let (Some(rest), Some(home)) = (path.strip_prefix("~/"), home) {
            return home.join(rest).display().to_string();
        }
        let mut roots = workspace.roots();
        let root = roots.find(|root| root.join(path).exists());
        match root {
            Some(root) if root != workspace.root() => root.join(path).display().to_string(),
            _ => path.to_owned(),
        }
    }

    fn is_there(&self, path: &str) -> bool {
        if self.servers.split(path).is_some() {
            return !path.ends_with(PUNCTUATION) || self.servers.has(path);
        }
        let meant = self.meant(path);
        [GIT, MEMORY].contains(&path) || self.policy.workspace.resolve(&meant).exists()
    }
}

/// What the model reads of it all.
fn block(names: &[String], ended: Vec<Ended>) -> Result<String, Failure> {
    let mut block = BEGINNING.to_owned();
    let mut room = SHOWN_BYTES;
    for (name, ended) in names.iter().zip(ended) {
        let text = match ended.into_outcome() {
            Ok(output) => output.text,
            Err(error) => return Err(not_sent(name, &reason(error))),
        };
        let shown = text.floor_char_boundary(room);
        room -= shown;
        block.push_str(&text[..shown]);
        if shown < text.len() {
            let left_out = text.len() - shown;
            writeln!(block, "\n[{left_out} bytes of @{name} are left out]")
                .expect("a String takes any text");
        }
    }
    Ok(block + END)
}

/// Whether `~` in front of a path makes it this one.
fn is_at_home(path: &str, word: &str) -> bool {
    word.strip_prefix("~/")
        .is_some_and(|rest| path.ends_with(&format!("/{rest}")))
}

/// What `prompt` had put into a block of [`block`]: each name with what was read. What a directory
/// holds is part of it.
pub(crate) fn attached<'a>(prompt: &str, block: &'a str) -> Vec<(String, &'a str)> {
    let inside = block.strip_prefix(BEGINNING);
    let Some(inside) = inside.and_then(|inside| inside.strip_suffix(END)) else {
        return Vec::new();
    };
    let meant = prompt.match_indices('@');
    let meant: Vec<String> = meant.map(|(at, _)| word(&prompt[at + 1..]).text).collect();
    let mut found: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    for line in inside.split_inclusive('\n') {
        let heading = line.strip_prefix("Content from @");
        if let Some(name) = heading.and_then(|rest| rest.strip_suffix(":\n")) {
            let mut before = found.iter().map(|(name, _)| *name);
            let is_below = |dir: &str| dir == "./" || (dir.ends_with('/') && name.starts_with(dir));
            // A file may have such a line in it too.
            let bare = name.trim_end_matches('/');
            let is_meant = |word: &String| word.contains(bare) || is_at_home(bare, word);
            if meant.iter().any(is_meant) && !before.any(is_below) {
                found.push((name, at));
            }
        }
        at += line.len();
    }
    let ends = found.iter().skip(1).map(|(_, start)| *start);
    let ends: Vec<usize> = ends.chain([inside.len()]).collect();
    let attached = found.iter().zip(ends).map(|((name, start), end)| {
        let name = match *name {
            "./" => ".",
            name => name.trim_end_matches('/'),
        };
        (name.to_owned(), &inside[*start..end])
    });
    attached.collect()
}

fn not_sent(name: &str, why: &str) -> Failure {
    Failure {
        kind: FailureKind::Input,
        message: format!("`@{name}` was not read: {why}"),
        hint: Some("nothing was sent; write `\\@` where you mean no file".to_owned()),
    }
}

impl Mentions {
    /// What `text` names, where `is_there` knows what there is.
    fn of(text: &str, is_there: impl Fn(&str) -> bool) -> Self {
        let mut mentions = Self::default();
        for word in words(text) {
            let mut readings = word.readings();
            if let Some(path) = readings.find(|path| is_there(path)) {
                if !mentions.found.contains(&path) {
                    mentions.found.push(path);
                }
            } else if let Some(path) = word.path() {
                mentions.missing.push(path.to_owned());
            }
        }
        mentions
    }
}

/// What follows each `@` that begins a word.
fn words(text: &str) -> impl Iterator<Item = Word> {
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, c)| {
        let opens = before.is_whitespace() || "([{,".contains(before);
        before = c;
        (c == '@' && opens).then(|| word(&text[at + 1..]))
    })
}

/// What follows an `@`.
#[derive(Debug)]
struct Word {
    text: String,
    /// Where it ends is beyond doubt.
    quoted: bool,
}

/// The word at the beginning of `text`: in quotes, or up to a space that is not escaped.
fn word(text: &str) -> Word {
    if let Some(quoted) = text.strip_prefix('"')
        && let Some((inside, _)) = quoted.split_once('"')
        && !inside.contains('\n')
    {
        let text = inside.to_owned();
        return Word { text, quoted: true };
    }
    let mut word = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => word.extend(chars.next()),
            c if c.is_whitespace() => break,
            c => word.push(c),
        }
    }
    Word {
        text: word,
        quoted: false,
    }
}

impl Word {
    /// Whether its end may belong to the sentence.
    fn may_end_before_its_end(&self) -> bool {
        !self.quoted && self.text.ends_with(PUNCTUATION)
    }

    /// What may be meant, the longest first: punctuation at the end may belong to the sentence.
    fn readings(&self) -> impl Iterator<Item = String> {
        let mut next = Some(self.text.as_str());
        let quoted = self.quoted;
        let readings = std::iter::from_fn(move || {
            let reading = next?;
            let last = reading.chars().next_back().filter(|_| !quoted);
            next = last.filter(|last| PUNCTUATION.contains(last)).map(|last| {
                let end = reading.len() - last.len_utf8();
                &reading[..end]
            });
            Some(reading.to_owned())
        });
        // Without a letter it is a directory only as a whole: `...` is none above.
        let whole = self.text.clone();
        readings.filter(move |reading| {
            let is_dots = [".", "./", ".."].contains(&reading.as_str()) && *reading == whole;
            is_dots || reading.contains(char::is_alphanumeric)
        })
    }

    /// The path, if whoever writes this most likely means a file: `src/main`, `notes.txt`; and not
    /// `alice`, `app.route("/")` or `server:resource`.
    fn path(&self) -> Option<&str> {
        let usual = |c: char| c.is_alphanumeric() || "/._-+~ ".contains(c);
        let text = self.text.trim_end_matches(PUNCTUATION);
        let extension = text.rsplit_once('.').map(|(_, extension)| extension);
        let is_file = extension.is_some_and(|extension| (1..=4).contains(&extension.len()));
        let is_path = text.chars().all(usual)
            && text.contains(char::is_alphanumeric)
            && (is_file || text.contains('/'));
        is_path.then_some(text)
    }
}

#[cfg(test)]
mod tests;
