//! What a command does beyond its text: where the files lead that it names, and what it searches.

use std::path::{Component, Path, PathBuf};

use pollux_tools::{Found, Located, Touched};

use super::Policy;
use crate::script::{Class, Reading};

impl Policy {
    /// Looks at the files that a command names.
    pub(super) fn follow(&self, reading: &mut Reading) {
        let is_of_interest = |path: &Path| {
            pollux_shell::is_secret(path) || self.rules.mention(path, &self.workspace)
        };
        reading.found = Found::follow(&reading.named, &is_of_interest);
        if reading.found.is_partial {
            let reason = "it reads more files than can be looked through".to_owned();
            reading.is_worse(Class::Ask, reason);
        }
        for touched in reading.found.touched.clone() {
            if let Some((class, reason)) = self.beyond_text(&touched) {
                reading.is_worse(class, reason);
            }
        }
    }

    /// What cannot be seen in the text of a command that touches this.
    fn beyond_text(&self, touched: &Touched) -> Option<(Class, String)> {
        let Touched {
            file,
            is_read,
            is_written,
            is_swept,
        } = touched;
        let led = self.led(file);
        let is_told = !is_swept && pollux_shell::is_secret(&file.named);
        if *is_read && !is_told && file.is_secret() {
            let way_out = if *is_swept {
                ". `grep_search` leaves such files out, and so does `--exclude`"
            } else {
                ""
            };
            let reason = format!("it reads {led}, which may hold secrets{way_out}");
            return Some((Class::Dangerous, reason));
        }
        if *is_written && file.named != file.real && self.is_protected(file) {
            let reason = format!("it changes {led}, which decides what other programs run");
            return Some((Class::Dangerous, reason));
        }
        let seems_inside = self
            .workspace
            .roots()
            .any(|root| plain(&file.named).starts_with(root));
        let leads_out = seems_inside && !self.workspace.contains(file);
        leads_out.then(|| (Class::Ask, format!("it goes to {led}, outside the project")))
    }

    fn is_protected(&self, file: &Located) -> bool {
        let context = self.context(self.workspace.root());
        pollux_shell::is_protected(&file.real, &context)
            || self.protected_link_to(&file.real).is_some()
            || super::repository::is_in_bare(&file.real)
    }

    /// The name of a file, and where that leads if that is somewhere else.
    fn led(&self, file: &Located) -> String {
        let named = self.workspace.shown(&plain(&file.named));
        let real = self.workspace.shown(&file.real);
        if named == real {
            format!("`{named}`")
        } else {
            format!("`{named}`, which is `{real}`")
        }
    }
}

/// A path without dots, by its letters alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
