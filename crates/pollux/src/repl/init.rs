//! What `/init` has the model do.

use std::path::Path;

use pollux_tui::program::Answer;

/// What it writes.
const FILE: &str = "POLLUX.md";

const WHAT: &str = "Look at the build files, the README, the main source files and the tests before \
you write, and check commands where that is cheap. It is for somebody who knows the language and not \
the project: what the project is for, how to build, run and test it (also a single test), how the \
source is laid out, and the conventions that one would not guess. Only what you have seen; no general \
advice. At most 80 lines.";

/// What is told to the person, and to the model on their behalf.
pub(super) fn answer(cwd: &Path) -> Answer {
    let (told, message) = if cwd.join(FILE).exists() {
        (
            format!("the model is asked to improve {FILE}; you see each change before it is made"),
            format!(
                "Look at this project, and improve {FILE} in its root directory: read it first, \
                 keep what is right, mend what is wrong or out of date, and add what is missing. {WHAT}"
            ),
        )
    } else {
        (
            format!("the model is asked to look at the project, and to write {FILE}"),
            format!("Look at this project, and write {FILE} in its root directory. {WHAT}"),
        )
    };
    Answer {
        text: told,
        message: Some(message),
        ..Answer::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_improved() {
        let dir = tempfile::tempdir().unwrap();
        let message = |dir: &Path| answer(dir).message.unwrap();
        assert!(message(dir.path()).contains("write POLLUX.md in"));
        std::fs::write(dir.path().join(FILE), "").unwrap();
        assert!(message(dir.path()).contains("improve POLLUX.md in"));
    }
}
