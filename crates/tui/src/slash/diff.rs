//! `/diff`: what has changed in the project.

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::complete::meaning;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "diff",
    aliases: &[],
    arguments: Arguments::Path,
    help: "what has changed since the last commit, new files included",
    examples: &[
        ("/diff", "everything"),
        (
            "/diff src/main.rs",
            "one file, or what is below a directory",
        ),
    ],
    run,
};

fn run(app: &mut App, path: &str) -> Vec<Effect> {
    vec![Effect::Inquire(Inquiry::Diff {
        path: meaning(path),
        edits: app.edits.clone(),
    })]
}
