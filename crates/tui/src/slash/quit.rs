//! `/quit`: the end.

use super::{Arguments, Slash};
use crate::app::Effect;

pub(super) const COMMAND: Slash = Slash {
    name: "quit",
    aliases: &["exit"],
    arguments: Arguments::None,
    help: "leave; the session is kept (Ctrl+C, or Ctrl+D with nothing typed)",
    examples: &[("pollux -c", "goes on with the newest session")],
    run: |_, _| vec![Effect::Quit],
};
