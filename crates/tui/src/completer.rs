//! The menu under the prompt: when it opens, what is in it, and what taking something means.

use std::ffi::OsString;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::complete::{
    Candidate, FileIndex, Found, Listings, MOST_SUGGESTIONS, Menu, Place, Suggestion, Walk, Wanted,
    choices, is_spelled_out, paths, paths_and, programs, wanted,
};
use crate::line::Line;
use crate::program::{Choice, Choices};
use crate::slash::{self, Arguments, Slash};

/// Where suggestions come from.
pub struct Sources {
    /// Where paths begin.
    pub place: Place,
    /// How the files of the project are found.
    pub walk: Walk,
    /// Where programs are.
    pub path: Option<OsString>,
    /// Told when there is more to suggest.
    pub more: Arc<Notify>,
    /// Whether the program knows of more than files that can be put into a message.
    pub resources: bool,
}

/// What helps to write a word.
pub(crate) struct Completer {
    sources: Sources,
    /// All files, once somebody has asked for one.
    files: Option<FileIndex>,
    /// Single directories, likewise.
    listings: Option<Listings>,
    programs: Option<Vec<Candidate>>,
    /// What the program has named.
    known: Vec<Known>,
    /// What is to be asked of the program.
    asked: Option<Choices>,
    menu: Option<Menu>,
    /// Somebody has chosen in the menu.
    moved: bool,
    /// Somebody has closed the menu: it stays so until more is typed.
    dismissed: bool,
}

/// What the program has named.
struct Known {
    of: Choices,
    candidates: Vec<Candidate>,
    /// Whether there may be more.
    looking: bool,
}

impl Completer {
    pub(crate) fn new(sources: Sources) -> Self {
        Self {
            sources,
            files: None,
            listings: None,
            programs: None,
            known: Vec::new(),
            asked: None,
            menu: None,
            moved: false,
            dismissed: false,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.menu.is_some()
    }

    /// The text has changed: so may what fits. Programs and the like are only suggested to whoever
    /// asks for it.
    pub(crate) fn follow(&mut self, text: &str, cursor: usize) {
        self.moved = false;
        self.dismissed = false;
        match wanted(text, cursor) {
            Wanted::Nothing => self.close(),
            Wanted::ShellWord { .. } if !self.is_open() => {}
            wanted => self.menu = self.suggest(&wanted),
        }
    }

    /// Opens the menu; if there is one way to go on, that is it.
    pub(crate) fn open(&mut self, text: &str, cursor: usize) -> Option<Suggestion> {
        self.menu = self.suggest(&wanted(text, cursor));
        self.menu.as_ref()?.only().cloned()
    }

    /// There is more to suggest than before: also where there was nothing.
    pub(crate) fn more(&mut self, text: &str, cursor: usize) {
        let wanted = wanted(text, cursor);
        let old = self.menu.clone();
        if old.is_none() && (self.dismissed || !matches!(wanted, Wanted::Path(_))) {
            return;
        }
        // What has just been brought up to date is not to be again.
        let (items, building) = self.items(&wanted, false);
        self.menu = match old {
            Some(old) => old.updated(items, building),
            None => Menu::new(items, building),
        };
    }

    /// The person wants no suggestions.
    pub(crate) fn dismiss(&mut self) {
        self.close();
        self.dismissed = true;
    }

    /// Nothing is suggested. What the program knows may be something else the next time.
    pub(crate) fn close(&mut self) {
        self.menu = None;
        self.known.clear();
    }

    pub(crate) fn up(&mut self) {
        self.moved = true;
        self.menu.iter_mut().for_each(Menu::up);
    }

    pub(crate) fn down(&mut self) {
        self.moved = true;
        self.menu.iter_mut().for_each(Menu::down);
    }

    /// What is selected.
    pub(crate) fn selected(&self) -> Option<&Suggestion> {
        self.menu.as_ref()?.selected()
    }

    /// What Enter takes instead of sending the message: what somebody has chosen, a command whose
    /// name has been begun, or a file. What is written out already is not taken again.
    pub(crate) fn taken_by_enter(&self, text: &str, cursor: usize) -> Option<&Suggestion> {
        let selected = self.selected()?;
        let takes = match wanted(text, cursor) {
            Wanted::Command(word) => selected.insert[1..].starts_with(&word.text),
            Wanted::Path(_) => true,
            _ => false,
        };
        let written = text[selected.replaces.clone()] == selected.insert;
        ((takes && !written) || self.moved).then_some(selected)
    }

    pub(crate) fn lines(&self, width: usize, most: usize) -> Vec<Line> {
        self.menu
            .as_ref()
            .map_or_else(Vec::new, |menu| menu.lines(width, most))
    }

    /// What the program should be asked for, once.
    pub(crate) fn asks(&mut self) -> Option<Choices> {
        self.asked.take()
    }

    /// The program's answer.
    pub(crate) fn told(&mut self, of: Choices, choices: Vec<Choice>, looking: bool) {
        self.known.retain(|known| known.of != of);
        self.known.push(Known {
            of,
            candidates: candidates(choices),
            looking,
        });
    }

    /// What it has found out meanwhile, if somebody still wants to know.
    pub(crate) fn told_all(&mut self, of: Choices, choices: Vec<Choice>) {
        if let Some(known) = self.known.iter_mut().find(|known| known.of == of) {
            known.candidates = candidates(choices);
            known.looking = false;
        }
    }

    fn suggest(&mut self, wanted: &Wanted) -> Option<Menu> {
        let opening = self.menu.is_none();
        let (items, building) = self.items(wanted, opening);
        Menu::new(items, building)
    }

    fn items(&mut self, wanted: &Wanted, opening: bool) -> (Vec<Suggestion>, bool) {
        match wanted {
            Wanted::Nothing => (Vec::new(), false),
            Wanted::Command(word) => (choices(wanted, &commands(&word.text)), false),
            Wanted::Argument {
                command, before, ..
            } => self.arguments(wanted, command, before, opening),
            Wanted::Path(word) if is_spelled_out(&word.text) => {
                let found = self.listed(&word.text);
                (paths(wanted, &found.paths), found.building)
            }
            Wanted::Path(word) => {
                let found = self.files(opening).search(&word.text, MOST_SUGGESTIONS);
                let begun = |name: &str| !word.text.is_empty() && name.starts_with(&word.text);
                let names = NO_FILES.iter().filter(|(name, _)| begun(name));
                let names: Vec<_> = names.map(|(name, what)| candidate(name, what)).collect();
                let mut items = choices(wanted, &names);
                items.extend(paths_and(wanted, &found.paths, self.resources()));
                (items, found.building)
            }
            Wanted::ShellWord { first: true, word } if !word.text.contains('/') => {
                let path = self.sources.path.as_deref().unwrap_or_default();
                let programs = self.programs.get_or_insert_with(|| programs(path));
                (choices(wanted, programs), false)
            }
            Wanted::ShellWord { word, .. } => {
                let found = self.listed(&word.text);
                (paths(wanted, &found.paths), found.building)
            }
        }
    }

    fn arguments(
        &mut self,
        wanted: &Wanted,
        name: &str,
        before: &[String],
        opening: bool,
    ) -> (Vec<Suggestion>, bool) {
        let Some(slash) = slash::find(name).filter(|_| before.is_empty()) else {
            return (Vec::new(), false);
        };
        if let Arguments::Known(of) = slash.arguments {
            let Some(known) = self.known.iter().find(|known| known.of == of) else {
                self.asked = Some(of);
                return (Vec::new(), false);
            };
            return (choices(wanted, &known.candidates), known.looking);
        }
        if let (Arguments::Path, Some(word)) = (slash.arguments, wanted.word()) {
            let found = self.files(opening).search(&word.text, MOST_SUGGESTIONS);
            return (paths(wanted, &found.paths), found.building);
        }
        let named: Vec<Candidate> = match slash.arguments {
            Arguments::None | Arguments::Free(_) | Arguments::Path | Arguments::Known(_) => {
                Vec::new()
            }
            Arguments::Words(words) | Arguments::WordThen(words, _) => {
                words.iter().map(|word| candidate(word, "")).collect()
            }
            Arguments::Topic => {
                let commands = slash::ALL.iter().map(of_command);
                commands
                    .chain([candidate(slash::KEYS, "all keys")])
                    .collect()
            }
        };
        (choices(wanted, &named), false)
    }

    /// What servers have, as far as that is known. They are asked at the beginning of each word, and
    /// nobody waits for them.
    fn resources(&mut self) -> &[Candidate] {
        let of = Choices::Resources;
        let known = self.known.iter().find(|known| known.of == of);
        if known.is_none() && self.sources.resources {
            self.asked = Some(of);
        }
        known.map_or(&[], |known| &known.candidates)
    }

    fn listed(&mut self, beginning: &str) -> Found {
        let Sources { place, more, .. } = &self.sources;
        let listings = self.listings.get_or_insert_with(|| {
            let (place, more) = (place.clone(), Arc::clone(more));
            let list = move |beginning: &str| place.list(beginning, MOST_SUGGESTIONS);
            Listings::start(list, move || more.notify_one())
        });
        listings.look(beginning)
    }

    /// The index is made when it is first needed, and brought up to date at the beginning of each
    /// word.
    fn files(&mut self, opening: bool) -> &FileIndex {
        let Sources {
            place, walk, more, ..
        } = &self.sources;
        let index = self.files.get_or_insert_with(|| {
            let more = Arc::clone(more);
            FileIndex::start(place.root.clone(), *walk, move || more.notify_one())
        });
        if opening {
            index.refresh();
        }
        index
    }
}

/// What a mention may name that is no file.
const NO_FILES: [(&str, &str); 2] = [
    ("git", "what has changed here"),
    ("memory", "what is written down for the model"),
];

/// Commands of which a name has been begun, or if there is none, all of them.
fn commands(begun: &str) -> Vec<Candidate> {
    let begins = |name: &&str| name.starts_with(begun);
    let by_name = slash::ALL.iter().filter(|slash| begins(&slash.name));
    let fitting: Vec<_> = by_name.map(of_command).collect();
    if !fitting.is_empty() {
        return fitting;
    }
    let by_alias = slash::ALL.iter().flat_map(|slash| {
        let aliases = slash.aliases.iter().filter(|alias| begins(alias));
        aliases.map(|alias| candidate(alias, slash.help))
    });
    let fitting: Vec<_> = by_alias.collect();
    if !fitting.is_empty() {
        return fitting;
    }
    slash::ALL.iter().map(of_command).collect()
}

fn candidates(choices: Vec<Choice>) -> Vec<Candidate> {
    let named = choices.into_iter().map(|choice| Candidate {
        name: choice.word,
        description: choice.description,
    });
    named.collect()
}

fn of_command(slash: &Slash) -> Candidate {
    candidate(slash.name, slash.help)
}

fn candidate(name: &str, description: &str) -> Candidate {
    Candidate {
        name: name.to_owned(),
        description: description.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Hears of more files until the menu is like this.
    fn wait(completer: &mut Completer, text: &str, done: impl Fn(&Completer) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !done(completer) {
            assert!(Instant::now() < deadline, "waited in vain");
            std::thread::yield_now();
            completer.more(text, text.len());
        }
    }

    #[test]
    fn a_file_that_appears_later_opens_the_menu_unless_it_was_closed() {
        let dir = tempfile::tempdir().unwrap();
        let mut completer = Completer::new(Sources {
            walk: |root| ignore::WalkBuilder::new(root),
            place: Place {
                root: dir.path().to_owned(),
                home: None,
            },
            path: None,
            more: Arc::default(),
            resources: false,
        });
        let text = "see @late";
        completer.follow(text, text.len());
        wait(&mut completer, text, |completer| !completer.is_open());
        std::fs::write(dir.path().join("later.txt"), "").unwrap();
        completer.files(true);
        wait(&mut completer, text, |completer| {
            completer.selected().is_some()
        });
        completer.dismiss();
        completer.more(text, text.len());
        assert!(!completer.is_open());
    }
}
