//! `/editor`: writing a message in the user's editor.

use super::{Arguments, Slash};
use crate::app::Effect;

pub(super) const COMMAND: Slash = Slash {
    name: "editor",
    aliases: &[],
    arguments: Arguments::None,
    help: "write a message in $VISUAL or $EDITOR (Ctrl+G takes along what is typed)",
    examples: &[],
    run: |app, _| vec![Effect::Edit(app.compose_in_editor())],
};
