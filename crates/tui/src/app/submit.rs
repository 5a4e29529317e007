//! What becomes of a line that was entered.

use pollux_types::{Command, Decision, Part};

use super::{App, Busy, Editing, Effect, Purpose};
use crate::line::untabbed;
use crate::slash;

impl App {
    /// What was typed.
    pub(super) fn submit(&mut self) -> Vec<Effect> {
        let text = self.composer.take();
        if text.trim().is_empty() {
            return Vec::new();
        }
        if matches!(text.trim(), "exit" | "quit") {
            return vec![Effect::Quit];
        }
        self.send(text)
    }

    /// Commands are obeyed at once; messages wait while another is answered, and so do commands that
    /// the messages before them must not be told after.
    pub(super) fn send(&mut self, text: String) -> Vec<Effect> {
        let waits = match slash::split(&text) {
            Some((name, _)) => !self.queue.is_empty() && slash::takes_its_turn(name),
            None => self.busy.is_some(),
        };
        if waits {
            self.queue.push(text);
            return Vec::new();
        }
        match slash::split(&text) {
            Some((name, arguments)) => self.command(&text, name, arguments),
            None => self.deliver(&text),
        }
    }

    /// The agent is ready for more: the next message that waits, and the commands before it. If the
    /// last was stopped, or never taken up, messages go back, and commands are obeyed all the same.
    pub(super) fn next_in_queue(&mut self, cancelled: bool) -> Vec<Effect> {
        let sent = self.sent.take();
        if let Some(text) = &sent {
            // It was not taken up, and nobody types it twice.
            self.composer.put_before(text);
        }
        let goes_back = cancelled || sent.is_some();
        let mut back = Vec::new();
        let mut effects = Vec::new();
        while let Some(text) = self.queue.take_oldest() {
            match slash::split(&text) {
                Some((name, arguments)) => effects.extend(self.command(&text, name, arguments)),
                None if goes_back => back.push(text),
                None => {
                    effects.extend(self.deliver(&text));
                    return effects;
                }
            }
        }
        if !back.is_empty() {
            self.composer.put_before(&back.join("\n\n"));
        }
        if !goes_back {
            effects.push(Effect::Notify("pollux is done"));
        }
        effects
    }

    fn command(&mut self, text: &str, name: &str, arguments: &str) -> Vec<Effect> {
        self.echo(text);
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

    /// The editor is done. Whatever has come meanwhile is still there.
    pub(super) fn edited(
        &mut self,
        editing: &Editing,
        edited: Result<Option<String>, String>,
    ) -> Vec<Effect> {
        match (edited, &editing.purpose) {
            (Err(error), _) => {
                self.complain(&format!("the editor: {error}"), "set $VISUAL or $EDITOR");
                Vec::new()
            }
            (Ok(None), _) => Vec::new(),
            (Ok(Some(text)), Purpose::Message) => {
                let text = text.strip_suffix('\n').unwrap_or(&text);
                self.composer.replace(&editing.content, text);
                Vec::new()
            }
            (Ok(Some(text)), Purpose::Proposal(call)) if self.asks_about(call) => {
                self.decide(Decision::Modify(text))
            }
            (Ok(Some(_)), Purpose::Proposal(_)) => {
                let name = &editing.name;
                self.transcript.note(&format!(
                    "`{name}` was not asked about any more: what you made of it is gone"
                ));
                Vec::new()
            }
        }
    }
}
