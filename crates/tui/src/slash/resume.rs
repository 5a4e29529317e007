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
    run,
};

fn run(_: &mut App, which: &str) -> Vec<Effect> {
    match which {
        "" => vec![Effect::Inquire(Inquiry::Sessions)],
        which => vec![Effect::Send(Command::Resume(which.to_owned()))],
    }
}
