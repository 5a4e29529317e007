//! Files that a command names, whatever it names them for.

use std::path::Path;

use super::Judge;
use crate::args::{Arg, UNKNOWN};
use crate::paths::{self, Place};
use crate::{Named, Use};

impl Judge<'_> {
    /// `arg` is read.
    pub(crate) fn reads(&mut self, arg: &Arg) {
        self.reads_text(&arg.text, &arg.source);
    }

    /// The file named `text` is read.
    pub(crate) fn reads_text(&mut self, text: &str, about: &str) {
        self.names(text, &Use::Reads);
        match self.reading(text) {
            Place::Inside => {}
            Place::Secret => self.danger("reads a file that holds secrets", about),
            _ => self.ask("reads outside of the workspace", about),
        }
    }

    /// Only the name, size and the like of `arg` are read.
    pub(crate) fn looks_at(&mut self, arg: &Arg) {
        self.names(&arg.text, &Use::Looks);
        match self.reading(&arg.text) {
            Place::Inside => {}
            Place::Secret => self.ask("looks at a place that holds secrets", &arg.source),
            _ => self.ask("looks outside of the workspace", &arg.source),
        }
    }

    /// The file named `text` is written. That something is written is for the caller to say.
    pub(crate) fn writes_text(&mut self, text: &str, about: &str) {
        if is_socket(text) {
            self.danger("opens a network connection", about);
            return;
        }
        self.names(text, &Use::Writes);
        let place = self
            .places
            .iter()
            .map(|dir| paths::writing(text, dir, self.context))
            .max();
        match place.unwrap_or(Place::Outside) {
            Place::Inside => {}
            Place::Protected => {
                self.danger("writes where settings or programs are kept", about);
            }
            _ => self.ask("writes outside of the workspace", about),
        }
    }

    /// The same for a file that is opened, and made if it is not there; nothing else happens to the
    /// directory that it is in.
    pub(crate) fn opens_text(&mut self, text: &str, about: &str) {
        self.writes_text(text, about);
        let mut places = self.places.iter();
        let (Some(dir), None) = (places.next(), places.next()) else {
            return;
        };
        let path = paths::resolve(text, dir);
        let is_known = !path.contains([UNKNOWN, '*', '?', '[']) && !is_socket(text);
        if is_known && paths::writing(&path, dir, self.context) == Place::Outside {
            self.opens.insert(path);
        }
    }

    /// `arg` is given to a program that may do anything with it.
    pub(crate) fn hands_over(&mut self, arg: &Arg) {
        // `--file=path`, `name=@path` and `host:path` name files too.
        let starts = arg
            .text
            .match_indices(['=', '@', ':'])
            .map(|(at, _)| at + 1);
        for start in std::iter::once(0).chain(starts).take(8) {
            let text = &arg.text[start..];
            if text.is_empty() || text.starts_with("//") {
                continue;
            }
            self.names(text, &Use::Anything);
            if self.reading(text) == Place::Secret {
                self.danger("uses a file that holds secrets", &arg.source);
            } else if start == 0 && !text.starts_with('-') {
                let is_protected = self
                    .places
                    .iter()
                    .any(|dir| paths::writing(text, dir, self.context) == Place::Protected);
                if is_protected && text != "/" && !text.starts_with("//") {
                    self.danger("may write where settings or programs are kept", &arg.source);
                }
            }
        }
    }

    /// Keeps the name of a file for whoever can look what it is.
    pub(crate) fn names(&mut self, text: &str, done: &Use) {
        if text.is_empty() || text.contains(UNKNOWN) || is_socket(text) {
            return;
        }
        let absolute = |dir: &String| {
            let path = Path::new(dir).join(text);
            (!dir.contains(UNKNOWN)).then_some(path)
        };
        let paths = self.places.iter().filter_map(absolute);
        let named = paths.map(|path| Named {
            path,
            done: done.clone(),
        });
        self.named.extend(named);
    }

    /// The worst place that `text` may be, by where the shell may be.
    pub(crate) fn reading(&self, text: &str) -> Place {
        if is_socket(text) {
            return Place::Secret;
        }
        let places = self.places.iter();
        let worst = places.map(|dir| paths::reading(text, dir, self.context));
        worst.max().unwrap_or(Place::Outside)
    }

    /// Whether `text` is the root, the home or the whole workspace.
    pub(crate) fn is_everything(&self, text: &str) -> bool {
        self.places
            .iter()
            .any(|dir| paths::is_everything(text, dir, self.context))
    }
}

/// Whether bash would open a connection instead of a file.
pub(super) fn is_socket(text: &str) -> bool {
    text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/")
}
