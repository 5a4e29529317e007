//! `/mcp`: servers that have resources.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "mcp",
    aliases: &[],
    arguments: Arguments::Words(&["reload"]),
    help: "how MCP servers stand, or connect to them anew; `@server:uri` reads what they have",
    examples: &[
        ("/mcp reload", "connects to all of them anew"),
        (
            "@docs:note://a",
            "in a message, reads the resource `note://a` of the server `docs`",
        ),
    ],
    run: |_, words| vec![Effect::Inquire(Inquiry::Mcp(words.to_owned()))],
};
