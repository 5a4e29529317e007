//! Instructions for particular work.

use std::path::PathBuf;

/// Instructions that a model gets when it asks for them; until then it knows what they are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// What it is called.
    pub name: String,
    /// What it is for, in a line.
    pub description: String,
    /// What to do.
    pub instructions: String,
    /// Where they are, with what else belongs to them; links followed.
    pub folder: PathBuf,
}
