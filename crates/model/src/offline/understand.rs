//! What the offline model takes a request to mean.

use super::Step;

/// A request it can serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    List {
        dir: String,
    },
    Read {
        file: String,
    },
    Find {
        text: String,
    },
    Named {
        pattern: String,
    },
    Replace {
        old: String,
        new: String,
        file: String,
    },
    Write {
        text: String,
        file: String,
    },
    Run {
        command: String,
    },
    Tour,
    Explain,
}

/// What it tells about itself.
pub(super) fn help() -> String {
    "I am the built-in offline model: no network, no key, and no intelligence either, but every \
     answer goes through real tools. I understand:\n\
     \n\
     - `list files` or `list files in DIR`\n\
     - `read FILE`\n\
     - `find TEXT`\n\
     - `files named PATTERN`, for example `files named *.rs`\n\
     - `replace A with B in FILE`\n\
     - `write TEXT to FILE`\n\
     - `run COMMAND`\n\
     - `tour`, which does one of each\n\
     - `help`, which says this\n\
     \n\
     For a real model set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY, or name a local server with \
     `--provider openai --base-url URL --model NAME`.\n"
        .into()
}

impl Wish {
    /// The first reading that fits.
    pub(super) fn read(prompt: &str) -> Self {
        let line = without_full_stop(prompt.trim());
        let line = after(line, &["please ", "can you ", "could you "]).unwrap_or(line);
        Self::named(line)
            .or_else(|| Self::edit(line))
            .or_else(|| Self::simple(line))
            .unwrap_or(Self::Explain)
    }

    fn named(line: &str) -> Option<Self> {
        let line = after(line, &["find ", "list ", "show "]).unwrap_or(line);
        let line = after(line, &["all ", "the "]).unwrap_or(line);
        let pattern = after(line, &["files named ", "files called ", "files matching "])?;
        Some(Self::Named {
            pattern: bare(pattern),
        })
    }

    fn edit(line: &str) -> Option<Self> {
        if let Some(rest) = after(line, &["replace ", "change "]) {
            let (rest, file) = split_last(rest, " in ")?;
            let (old, new) = split_first(&rest, " with ").or_else(|| split_first(&rest, " to "))?;
            return Some(Self::Replace { old, new, file });
        }
        let rest = after(line, &["write ", "put "])?;
        let (text, file) = split_last(rest, " to ").or_else(|| split_last(rest, " into "))?;
        Some(Self::Write {
            text: bare(&text),
            file,
        })
    }

    fn simple(line: &str) -> Option<Self> {
        if let Some(command) = after(line, &["run ", "execute ", "$ "]) {
            return Some(Self::Run {
                command: bare(command),
            });
        }
        if let Some(text) = after(line, &["find ", "search for ", "search ", "grep "]) {
            return Some(Self::Find { text: bare(text) });
        }
        let lower = line.to_lowercase();
        if lower == "ls" || after(line, &["list", "what files", "which files"]).is_some() {
            let dir = split_last(line, " in ").map_or_else(|| ".".into(), |(_, dir)| dir);
            return Some(Self::List { dir });
        }
        if let Some(file) = after(line, &["read ", "show ", "open ", "cat "]) {
            let file = after(file, &["the file ", "file "]).unwrap_or(file);
            return Some(Self::Read { file: bare(file) });
        }
        lower
            .split_whitespace()
            .any(|word| word == "tour")
            .then_some(Self::Tour)
    }

    /// The call that serves it.
    pub(super) fn step(&self) -> Option<Step> {
        Some(match self {
            Self::List { dir } => Step::new("list_directory", [("dir_path", dir)]),
            Self::Read { file } => Step::new("read_file", [("file_path", file)]),
            Self::Find { text } => {
                let mut step = Step::new("grep_search", [("pattern", text)]);
                step.args.insert("fixed_strings".into(), true.into());
                step
            }
            Self::Named { pattern } => Step::new("glob", [("pattern", pattern)]),
            Self::Replace { old, new, file } => Step::new(
                "replace",
                [
                    ("file_path", file),
                    ("old_string", old),
                    ("new_string", new),
                ],
            ),
            Self::Write { text, file } => Step::new(
                "write_file",
                [("file_path", file), ("content", &format!("{text}\n"))],
            ),
            Self::Run { command } => Step::new("run_shell_command", [("command", command)]),
            Self::Tour | Self::Explain => return None,
        })
    }

    /// How the answer begins.
    pub(super) fn heading(&self) -> String {
        match self {
            Self::List { dir } => format!("In `{dir}`:"),
            Self::Read { file } => format!("This is in `{file}`:"),
            Self::Find { text } => format!("Where `{text}` stands:"),
            Self::Named { pattern } => format!("Files named `{pattern}`:"),
            Self::Replace { .. } | Self::Write { .. } => "Done:".into(),
            Self::Run { command } => format!("`{command}` says:"),
            Self::Tour | Self::Explain => String::new(),
        }
    }
}

/// A sentence without its end; dots that are a path stay.
fn without_full_stop(line: &str) -> &str {
    let bare = line.trim_end_matches(['.', '!', '?']);
    let is_word = |c: char| c.is_alphanumeric() || "\"'`)".contains(c);
    if bare.ends_with(is_word) { bare } else { line }
}

/// What follows the first of `starts` that `line` begins with, whatever its case.
fn after<'a>(line: &'a str, starts: &[&str]) -> Option<&'a str> {
    starts.iter().find_map(|start| {
        let head = line.get(..start.len())?;
        head.eq_ignore_ascii_case(start)
            .then(|| line[start.len()..].trim_start())
    })
}

fn split_first(text: &str, at: &str) -> Option<(String, String)> {
    text.split_once(at).map(|(a, b)| (bare(a), bare(b)))
}

fn split_last(text: &str, at: &str) -> Option<(String, String)> {
    text.rsplit_once(at)
        .map(|(a, b)| (a.trim().to_owned(), bare(b)))
}

/// `text` without the quotes around it, or the `@` with which prompts name files.
fn bare(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix('@').unwrap_or(text);
    let inner = ['"', '\'', '`']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    inner.unwrap_or(text).to_owned()
}
