//! `/skills`: what the model has instructions for.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::{Choices, Inquiry};

pub(super) const COMMAND: Slash = Slash {
    name: "skills",
    aliases: &[],
    arguments: Arguments::Known(Choices::Skills),
    help: "what the model has instructions for; NAME, and more if you like, has it use one",
    examples: &[
        ("/skills", "what there is"),
        ("/skills release-notes", "has the model use that one"),
        (
            "/skills release-notes for 2.0",
            "the same, and says for what",
        ),
    ],
    run: |_, words| vec![Effect::Inquire(Inquiry::Skills(words.to_owned()))],
};
