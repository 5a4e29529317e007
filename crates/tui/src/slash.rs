//! Commands that begin with a slash: one file each.
//!
//! None of them reaches the model but what `/init` has it do.
//!
//! A new one is a file with a [`Slash`], and a line in [`ALL`].

mod about;
mod approve;
mod bug;
mod build;
mod cancel;
mod clear;
mod context;
mod copy;
mod cost;
mod diff;
mod doctor;
mod editor;
mod export;
mod help;
mod init;
mod mcp;
mod memory;
mod mode;
mod model;
mod new;
mod permissions;
mod plan;
mod provider;
mod quit;
mod resume;
mod sandbox;
mod save;
mod sessions;
mod settings;
mod skills;
mod stats;
mod theme;
mod todos;
mod tools;
mod vim;

use pollux_types::nearest;
use pollux_types::untrusted::visible;

use crate::app::{App, Effect};
use crate::program::Choices;
pub(crate) use approve::{allow, name as approval_name};
pub(crate) use help::KEYS;
pub(crate) use mode::enter;

/// A command.
pub struct Slash {
    /// Its name, without the slash.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What may follow it.
    pub arguments: Arguments,
    /// What it does, in a line.
    pub help: &'static str,
    /// Lines to type, or other things to know of, and what each does: for `/help COMMAND`.
    pub examples: &'static [(&'static str, &'static str)],
    /// Does it.
    pub run: fn(&mut App, &str) -> Vec<Effect>,
}

/// What may follow a command.
#[derive(Clone, Copy, Debug)]
pub enum Arguments {
    /// Nothing.
    None,
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of these words, and then something of the person's own that is called like this.
    WordThen(&'static [&'static str], &'static str),
    /// One of what the program knows.
    Known(Choices),
    /// A path of the project.
    Path,
    /// What `/help` can tell of.
    Topic,
    /// Something of the person's own; this is what it is called.
    Free(&'static str),
}

/// All commands, in the order of their names.
pub const ALL: &[Slash] = &[
    about::COMMAND,
    approve::COMMAND,
    bug::COMMAND,
    build::COMMAND,
    cancel::COMMAND,
    clear::COMMAND,
    context::COMMAND,
    copy::COMMAND,
    cost::COMMAND,
    diff::COMMAND,
    doctor::COMMAND,
    editor::COMMAND,
    export::COMMAND,
    help::COMMAND,
    init::COMMAND,
    mcp::COMMAND,
    memory::COMMAND,
    mode::COMMAND,
    model::COMMAND,
    new::COMMAND,
    permissions::COMMAND,
    plan::COMMAND,
    provider::COMMAND,
    quit::COMMAND,
    resume::COMMAND,
    sandbox::COMMAND,
    save::COMMAND,
    sessions::COMMAND,
    settings::COMMAND,
    skills::COMMAND,
    stats::COMMAND,
    theme::COMMAND,
    todos::COMMAND,
    tools::COMMAND,
    vim::COMMAND,
];

/// The command in a line, with what follows it; `None` if the line is none. A path such as
/// `/usr/bin/x` is text, and so is what comes after it.
pub fn split(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let rest = line.strip_prefix('/')?;
    let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (!name.contains('/')).then_some((name, arguments.trim()))
}

/// The command of this name.
pub fn find(name: &str) -> Option<&'static Slash> {
    let named = |slash: &&Slash| slash.name == name || slash.aliases.contains(&name);
    ALL.iter().find(named)
}

/// Whether a command changes whom the messages after it are for: it waits for those before it. Some
/// only tell what there is if nothing follows them.
pub fn takes_its_turn(name: &str, arguments: &str) -> bool {
    match find(name).map(|slash| slash.name) {
        Some("clear" | "new") => true,
        Some("model" | "provider" | "resume") => !arguments.is_empty(),
        _ => false,
    }
}

/// Says that there is no such command, and which may be meant.
pub fn unknown(name: &str) -> String {
    let names = ALL.iter().map(|slash| slash.name);
    let meant = match nearest(name, names) {
        Some(meant) => format!(" Did you mean /{meant}?"),
        None => " /help lists them.".to_owned(),
    };
    format!("Unknown command: /{}.{meant}", visible(name))
}

#[cfg(test)]
mod tests;
