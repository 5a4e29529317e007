//! What becomes of a line that was entered.

use pollux_types::{Command, Decision, Part};

use super::{App, Busy, Effect, Purpose};
use crate::line::untabbed;
use crate::slash;

impl App {
    /// Commands are obeyed at once; messages wait while another is answered.
    pub(super) fn submit(&mut self) -> Vec<Effect> {
        let text = self.composer.take();
        if text.trim().is_empty() {
            return Vec::new();
        }
        if matches!(text.trim(), "exit" | "quit") {
            return vec![Effect::Quit];
        }
        if let Some((name, arguments)) = slash::split(&text) {
            self.echo(&text);
            return self.command(name, arguments);
        }
        if self.busy.is_some() {
            self.queue.push(text);
            return Vec::new();
        }
        self.deliver(&text)
    }

    fn command(&mut self, name: &str, arguments: &str) -> Vec<Effect> {
        let effects = if let Some(slash) = slash::find(name) {
            (slash.run)(self, arguments)
        } else {
            self.transcript.error(&slash::unknown(name), None);
            Vec::new()
        };
        self.transcript.gap();
        effects
    }

    /// To the agent: a command of the person's own, or a message to the model.
    pub(super) fn deliver(&mut self, text: &str) -> Vec<Effect> {
        self.echo(text);
        self.busy = Some(Busy::since(self.now));
        self.sent = Some(text.to_owned());
        let command = match text.strip_prefix('!') {
            Some(command) => Command::Run {
                command: command.trim().to_owned(),
                raw: text.to_owned(),
            },
            None => Command::Submit(vec![Part::text(text)]),
        };
        vec![Effect::Send(command)]
    }

    /// The prompt and what was typed after it become part of the transcript.
    fn echo(&mut self, text: &str) {
        let width = usize::from(self.size.width);
        self.transcript.gap();
        let [above, prompt] = self.prompt(width);
        let shown = pollux_types::untrusted::visible(text.trim_end());
        let mut lines = shown.lines();
        let first = untabbed(lines.next().unwrap_or_default());
        self.print(vec![above, prompt.with(first, crate::style::Style::PLAIN)]);
        let rest = lines.map(|line| untabbed(line).into());
        self.print(rest.collect());
    }

    /// The editor is done.
    pub(super) fn edited(
        &mut self,
        purpose: Purpose,
        edited: Result<Option<String>, String>,
    ) -> Vec<Effect> {
        match (edited, purpose) {
            (Err(error), _) => {
                self.complain(&format!("the editor: {error}"), "set $VISUAL or $EDITOR");
                Vec::new()
            }
            (Ok(None), _) => Vec::new(),
            (Ok(Some(text)), Purpose::Message) => {
                self.composer.set(text.strip_suffix('\n').unwrap_or(&text));
                Vec::new()
            }
            (Ok(Some(text)), Purpose::Proposal) => self.decide(Decision::Modify(text)),
        }
    }
}
