//! `/resume`: going on with an earlier session.

use pollux_types::Command;

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::program::{Choices, Inquiry};

pub(super) const COMMAND: Slash = Slash {
    name: "resume",
    aliases: &[],
    arguments: Arguments::Known(Choices::Sessions),
    help: "go on with a stored session: latest, its number, name or id",
    examples: &[
        (
            "/resume",
            "the sessions of this project, each with a number",
        ),
        ("/resume 2", "goes on with the second of them"),
        ("/resume latest", "goes on with the newest"),
        (
            "/resume the parser",
            "goes on with what `/save the parser` has named",
        ),
    ],
    run,
};

fn run(_: &mut App, which: &str) -> Vec<Effect> {
    match which {
        "" => vec![Effect::Inquire(Inquiry::Sessions)],
        which => vec![Effect::Send(Command::Resume(which.to_owned()))],
    }
}
