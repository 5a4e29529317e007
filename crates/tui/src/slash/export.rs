//! `/export`: this session as a file.

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "export",
    aliases: &[],
    arguments: Arguments::WordThen(&["md", "html", "jsonl"], "[FILE]"),
    help: "write this session into a new file, one of the working directory unless you name it",
    examples: &[
        (
            "/export",
            "as Markdown, into a new file of the working directory",
        ),
        ("/export html", "as a page"),
        ("/export jsonl", "as it is recorded, for programs"),
        (
            "/export talk.md",
            "where you want it; the ending says as what. Nothing is overwritten",
        ),
    ],
    run,
};

fn run(app: &mut App, words: &str) -> Vec<Effect> {
    vec![Effect::Inquire(Inquiry::Export {
        session: app.status.session.clone(),
        words: words.to_owned(),
    })]
}
