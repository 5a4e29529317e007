//! `/model`: who answers.

use pollux_types::Command;

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::program::{Choices, Inquiry};

pub(super) const COMMAND: Slash = Slash {
    name: "model",
    aliases: &[],
    arguments: Arguments::Known(Choices::Models),
    help: "who answers: a model, or provider/model; alone it lists them",
    examples: &[
        ("/model", "who answers, and what the servers have"),
        ("/model qwen3", "another model of the same server"),
        ("/model openai/gpt-5", "a model of another provider"),
        ("/model openai/", "the usual model of another provider"),
    ],
    run,
};

fn run(app: &mut App, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        let (model, provider) = (&app.status.model, &app.status.provider);
        app.say(&format!("model: {model} ({provider})"));
        return vec![Effect::Inquire(Inquiry::Models)];
    }
    vec![Effect::Send(Command::UseModel(name.to_owned()))]
}
