//! `/cost`: what each model has used.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "cost",
    aliases: &[],
    arguments: Arguments::None,
    help: "tokens of each model since the start, and what they cost by your `[prices]`",
    examples: &[(
        "[prices.\"openai/gpt-5\"]",
        "with `input`, `cached` and `output`: dollars for a million tokens, in the settings",
    )],
    run: |app, _| vec![Effect::Inquire(Inquiry::Cost(app.stats.spent.clone()))],
};
