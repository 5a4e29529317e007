//! The rules of the workspace that no compiler knows.
//!
//! Each check is a pure function from the workspace's files to the problems found in them. The
//! tests of this module run all of them on the workspace itself, so `cargo test --workspace` says
//! the same as `cargo xtask tidy`.

mod direction;
mod files;
mod forgotten;
mod sources;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use files::File;

/// Checks everything and prints what is wrong.
#[expect(clippy::print_stderr, reason = "this is what the command is for")]
pub(crate) fn run(workspace: &Path) -> anyhow::Result<ExitCode> {
    let files = files::load(workspace).context("reading the workspace")?;
    let problems: Vec<Problem> = CHECKS.iter().flat_map(|check| check(&files)).collect();
    for problem in &problems {
        eprintln!("{problem}");
    }
    Ok(if problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A rule, applied to all files at once.
type Check = fn(&[File]) -> Vec<Problem>;

const CHECKS: [Check; 5] = [
    direction::check,
    sources::openings,
    sources::words,
    sources::layout,
    forgotten::check,
];

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    path: String,
    /// Counted from 1; 0 if it is about the whole file.
    line: usize,
    message: String,
}

impl Problem {
    fn new(file: &File, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: file.path.clone(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_tidy(check: Check) {
        let files = files::load(&crate::workspace()).unwrap();
        assert!(files.iter().any(|file| file.path == "xtask/src/tidy.rs"));
        let problems: Vec<String> = check(&files).iter().map(ToString::to_string).collect();
        assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    }

    #[test]
    fn dependencies_point_one_way() {
        assert_tidy(direction::check);
    }

    #[test]
    fn every_file_says_what_it_is_for() {
        assert_tidy(sources::openings);
    }

    #[test]
    fn nothing_is_left_undone_skipped_or_slept_through() {
        assert_tidy(sources::words);
    }

    #[test]
    fn files_are_short_and_clean() {
        assert_tidy(sources::layout);
    }

    #[test]
    fn no_test_file_is_forgotten() {
        assert_tidy(forgotten::check);
    }

    #[test]
    fn a_problem_names_its_place() {
        let file = File::new("a.rs", "");
        assert_eq!(Problem::new(&file, 3, "bad").to_string(), "a.rs:3: bad");
        assert_eq!(Problem::new(&file, 0, "bad").to_string(), "a.rs: bad");
    }
}
