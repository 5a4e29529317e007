//! `/approve`: what may happen without asking.

use pollux_types::{ApprovalMode, Command};

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "approve",
    aliases: &["approvemode"],
    arguments: Arguments::Words(&["default", "auto-edit", "yolo"]),
    help: "what may happen without asking (Shift+Tab goes through them)",
    examples: &[
        ("/approve", "which mode it is"),
        (
            "/approve default",
            "reading inside the project, but for secrets",
        ),
        (
            "/approve auto-edit",
            "and changing files inside the project",
        ),
        ("/approve yolo", "everything but what is dangerous"),
    ],
    run,
};

fn run(app: &mut App, word: &str) -> Vec<Effect> {
    let mode = match word {
        "default" => ApprovalMode::Default,
        "auto-edit" => ApprovalMode::AutoEdit,
        "yolo" => ApprovalMode::Yolo,
        "" => {
            app.say(&format!("approval mode: {}", name(app.status.approval)));
            return Vec::new();
        }
        other => {
            let message = format!("`{other}` is no approval mode");
            app.complain(&message, "there are: default, auto-edit, yolo");
            return Vec::new();
        }
    };
    allow(app, mode)
}

/// Switches, and says so.
pub(crate) fn allow(app: &mut App, mode: ApprovalMode) -> Vec<Effect> {
    app.status.approval = mode;
    let means = match mode {
        ApprovalMode::Default => "reading is allowed, all else is asked",
        ApprovalMode::AutoEdit => "edits in the project are allowed too",
        ApprovalMode::Yolo => "everything is allowed but what is dangerous",
    };
    app.say(&format!("approval mode: {} ({means})", name(mode)));
    vec![Effect::Send(Command::Allow(mode))]
}

/// The word for it.
pub(crate) fn name(mode: ApprovalMode) -> &'static str {
    match mode {
        ApprovalMode::Default => "default",
        ApprovalMode::AutoEdit => "auto-edit",
        ApprovalMode::Yolo => "yolo",
    }
}
