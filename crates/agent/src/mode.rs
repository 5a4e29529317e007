//! Plan mode: what is offered in it, and how the model learns of it.

use pollux_tools::Registry;
use pollux_types::{Message, Mode, Part, Role, ToolSpec};

use crate::history::History;
use crate::prompt::Instructions;
use crate::session::Agent;
use crate::size::Scale;

/// What goes to the model with the first prompt after a change. It stands beside the prompt, since
/// whatever changes in front of the conversation costs the provider's cache.
const PLAN: &str = "[pollux: plan mode. Look, think, and say what you would do; change nothing. \
                    Tools that edit are gone, and commands may only read.]";
const BUILD: &str = "[pollux: plan mode is over. You may change things again.]";

/// The tools that are offered in each mode.
#[derive(Debug)]
pub(crate) struct Offered {
    all: Vec<ToolSpec>,
    looking: Vec<ToolSpec>,
}

impl Offered {
    pub(crate) fn of(instructions: &Instructions, registry: &Registry) -> Self {
        let all = instructions.tools.clone();
        let edits = |spec: &&ToolSpec| registry.get(&spec.name).is_some_and(|tool| tool.edits());
        Self {
            looking: all.iter().filter(|spec| !edits(spec)).cloned().collect(),
            all,
        }
    }

    pub(crate) fn during(&self, mode: Mode) -> &[ToolSpec] {
        match mode {
            Mode::Build => &self.all,
            Mode::Plan => &self.looking,
        }
    }
}

impl Agent {
    /// The policy goes by the mode at once; the model sees it with the next request.
    pub(crate) fn enter(&mut self, mode: Mode) {
        if self.policy.mode != mode {
            self.policy.mode = mode;
            self.scale = Scale::default();
        }
    }

    /// A word on the mode, if the model does not know of it.
    pub(crate) fn note_on_mode(&self) -> Option<Part> {
        let (mode, known) = (self.policy.mode, self.history.known_mode());
        (mode != known).then(|| {
            let note = match mode {
                Mode::Build => BUILD,
                Mode::Plan => PLAN,
            };
            Part::text(format!("\n\n{note}"))
        })
    }
}

impl History {
    /// The mode that the model was told of last.
    fn known_mode(&self) -> Mode {
        let mut prompts = self
            .all()
            .rev()
            .filter(|message| message.role == Role::User);
        prompts.find_map(told).unwrap_or_default()
    }
}

fn told(message: &Message) -> Option<Mode> {
    let mut texts = message.parts.iter().rev().filter_map(Part::as_text);
    texts.find_map(|text| match text.trim_start() {
        PLAN => Some(Mode::Plan),
        BUILD => Some(Mode::Build),
        _ => None,
    })
}
