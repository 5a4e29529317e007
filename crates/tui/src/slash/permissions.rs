//! `/permissions`: what is always allowed.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "permissions",
    aliases: &[],
    arguments: Arguments::Free("[remove N]"),
    help: "list what is always allowed or denied, or take a rule out",
    examples: &[
        ("/permissions", "what is kept, each with a number"),
        (
            "/permissions remove 2",
            "forgets the second: it is asked about again",
        ),
        (
            "rules.toml",
            "in pollux's home has rules of your own, which are changed there",
        ),
    ],
    run: |_, words| vec![Effect::Inquire(Inquiry::Permissions(words.to_owned()))],
};
