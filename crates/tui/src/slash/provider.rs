//! `/provider`: whose model answers.

use pollux_types::Command;

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::program::{Choices, Inquiry};

pub(super) const COMMAND: Slash = Slash {
    name: "provider",
    aliases: &[],
    arguments: Arguments::Known(Choices::Providers),
    help: "whose model answers: its usual one; alone it lists them",
    examples: &[
        ("/provider", "who is set up, and what the others lack"),
        ("/provider gemini", "its usual model answers from here on"),
    ],
    run,
};

fn run(app: &mut App, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        app.say(&format!("provider: {}", app.status.provider));
        return vec![Effect::Inquire(Inquiry::Providers)];
    }
    let usual = format!("{}/", name.trim_end_matches('/'));
    vec![Effect::Send(Command::UseModel(usual))]
}
