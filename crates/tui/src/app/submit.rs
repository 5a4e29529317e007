//! What becomes of a line that was entered.

use pollux_types::{Command, Decision, Part};

use super::{App, Busy, Editing, Effect, Purpose};
use crate::draft::Draft;
use crate::line::untabbed;
use crate::slash;

impl App {
    /// What was typed.
    pub(super) fn submit(&mut self) -> Vec<Effect> {
        let draft = self.composer.take();
        let text = draft.text.as_str();
        if draft.is_empty() {
            self.queue.let_go();
            return Vec::new();
        }
        if matches!(text, "exit" | "quit") {
            return vec![Effect::Quit];
        }
        if text == "!" {
            self.transcript
                .note("a command to run follows the `!`, such as `!ls`");
            return Vec::new();
        }
        self.send(draft)
    }

    /// Commands are obeyed at once; messages wait while another is answered, and so do commands that
    /// the messages before them must not be told after.
    pub(super) fn send(&mut self, draft: Draft) -> Vec<Effect> {
        let waits = match slash::split(&draft.text) {
            Some((name, arguments)) => {
                let busy = self.busy.is_some() || !self.queue.is_empty();
                busy && slash::takes_its_turn(name, arguments)
            }
            None => self.busy.is_some(),
        };
        if waits {
            self.queue.push(draft);
            return Vec::new();
        }
        self.queue.let_go();
        if slash::split(&draft.text).is_some() {
            self.command(&draft)
        } else {
            self.deliver(draft)
        }
    }

    /// The agent is ready for more: the next message that waits, and the commands before it. If the
    /// last was stopped, or never taken up, messages go back, and commands are obeyed all the same.
    pub(super) fn next_in_queue(&mut self, cancelled: bool) -> Vec<Effect> {
        // It was not taken up, and nobody types it twice.
        let mut back: Vec<Draft> = self.sent.take().into_iter().collect();
        let mut effects = Vec::new();
        if cancelled || !back.is_empty() {
            for draft in self.take_queue() {
                if slash::split(&draft.text).is_some() {
                    effects.extend(self.command(&draft));
                } else {
                    back.push(draft);
                }
            }
            self.composer.put_before(&back);
            return effects;
        }
        while let Some(draft) = self.queue.take_oldest() {
            if slash::split(&draft.text).is_none() {
                effects.extend(self.deliver(draft));
                return effects;
            }
            effects.extend(self.command(&draft));
        }
        effects.push(Effect::Notify("pollux is done"));
        effects
    }

    fn command(&mut self, draft: &Draft) -> Vec<Effect> {
        let Some((name, arguments)) = slash::split(&draft.text) else {
            return Vec::new();
        };
        self.echo(draft);
        self.composer.remember(&draft.text);
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
    pub(super) fn deliver(&mut self, draft: Draft) -> Vec<Effect> {
        self.echo(&draft);
        self.transcript.gap();
        self.composer.remember(&draft.text);
        self.busy = Some(Busy::since(self.now));
        let text = draft.text.as_str();
        let command = match text.strip_prefix('!') {
            Some(command) => Command::Run {
                command: command.trim().to_owned(),
                raw: text.to_owned(),
            },
            None => Command::Submit(vec![Part::text(text)]),
        };
        self.sent = Some(draft);
        vec![Effect::Send(command)]
    }

    /// The prompt and what was typed after it become part of the transcript.
    fn echo(&mut self, draft: &Draft) {
        if self.echoed {
            return;
        }
        let width = usize::from(self.size.width);
        self.transcript.gap();
        let [above, prompt] = self.prompt(width);
        let shown = pollux_types::untrusted::visible(&draft.shown);
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
