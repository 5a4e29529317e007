//! `/memory`: what is written down for the model.

use pollux_types::Command;

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "memory",
    aliases: &[],
    arguments: Arguments::WordThen(&["show", "list", "reload", "add"], "[--user] [TEXT]"),
    help: "what the model is told from POLLUX.md and the like; add to it, for all projects with --user",
    examples: &[
        ("/memory", "what the model is told"),
        (
            "/memory add Use tabs.",
            "writes it into POLLUX.md of the project",
        ),
        ("/memory add --user Be brief.", "the same for all projects"),
        ("/memory reload", "after you have changed a file"),
    ],
    run,
};

fn run(_: &mut App, words: &str) -> Vec<Effect> {
    match words {
        "reload" => vec![Effect::Send(Command::ReadMemory)],
        words => vec![Effect::Inquire(Inquiry::Memory(words.to_owned()))],
    }
}
