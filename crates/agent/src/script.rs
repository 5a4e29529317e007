//! What a command would do, as far as its text tells.

use std::path::Path;

use pollux_tools::{Script, Workspace};
use pollux_types::Remember;

/// What a command would do, in one word; later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    ReadOnly,
    Ask,
    Dangerous,
}

/// What was found out about a command.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) class: Class,
    pub(crate) reasons: Vec<String>,
    /// The programs it starts, with their arguments.
    pub(crate) programs: Vec<Vec<String>>,
    pub(crate) always: Vec<Remember>,
}

/// Reads a command; runs nothing.
pub(crate) fn read(script: &Script, _workspace: &Workspace, _home: Option<&Path>) -> Reading {
    Reading {
        class: Class::Ask,
        reasons: vec!["it runs a command".to_owned()],
        programs: vec![
            script
                .command
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        ],
        always: vec![Remember::Command(script.command.clone())],
    }
}
