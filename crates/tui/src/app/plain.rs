//! The REPL on a terminal that is left in its own line mode: that shows what is typed by itself, and
//! what is printed stays.

use std::time::Duration;

use pollux_types::Command;
use tokio::time::Instant;

use super::dialog::Dialog;
use super::{App, Effect};
use crate::line::Line;
use crate::slash;
use crate::style::Style;

/// What is typed to stop everything, where there are no keys.
const CANCEL: &str = "/cancel";

impl App {
    /// The same, printed line by line.
    pub(crate) fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Whether it is printed line by line, and keys are the terminal's own.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Takes a line, which the terminal has shown as it was typed.
    pub(crate) fn read(&mut self, line: &str, now: Instant) -> Vec<Effect> {
        self.now = now;
        self.transcript.was_typed_after();
        let escape = !line.is_empty() && line.chars().all(|c| c == '\x1b');
        let dismisses = escape || line.trim() == CANCEL;
        if dismisses && self.dialog.is_some() {
            let effects = self.dismiss();
            if !escape && effects.contains(&Effect::Send(Command::Cancel)) {
                self.transcript.stop_by(CANCEL);
            }
            return effects;
        }
        if escape && self.busy.is_some() {
            return self.cancel();
        }
        if let Some(effects) = self.answer_in_line(line) {
            return effects;
        }
        let waiting = self.queue.len();
        self.echoed = true;
        let effects = self.enter(if escape { CANCEL } else { line });
        self.echoed = false;
        if self.queue.len() > waiting {
            self.say("queued: its turn comes when this is done");
        }
        effects
    }

    /// What is printed for somebody to type after; the last line is left open. `None` while nothing
    /// is wanted.
    pub(crate) fn wanted(&self) -> Option<Vec<Line>> {
        match (&self.dialog, &self.busy) {
            (Some(dialog), _) => dialog.listens().then(|| vec![dialog.prompt()]),
            (None, Some(_)) => None,
            // Who answers is about to be known, and told then.
            (None, None) if self.status.session.is_empty() => None,
            (None, None) => {
                let [mut above, prompt] = self.prompt(self.width());
                if self.status.approval != pollux_types::ApprovalMode::Default {
                    let approval = slash::approval_name(self.status.approval);
                    above = above.with(format!(" · {approval}"), Style::DIM);
                }
                Some(vec![above, prompt])
            }
        }
    }

    /// Whether the next line is an answer to a question.
    pub(crate) fn is_asking(&self) -> bool {
        self.dialog.as_ref().is_some_and(Dialog::listens)
    }

    /// What is being waited for, in a line that is printed now and then.
    pub(crate) fn at_work(&self, now: Instant) -> Option<Line> {
        let busy = self.busy.as_ref().filter(|_| self.dialog.is_none())?;
        let running = self.transcript.running();
        let what = if running.is_empty() || busy.cancelled {
            busy.what(now)
        } else {
            format!("running {}", running.join(", "))
        };
        let spent: Duration = now.saturating_duration_since(busy.since);
        let rest = format!(" · {} s · {CANCEL} stops it", spent.as_secs());
        let room = self.width().saturating_sub(Line::plain(&rest).width());
        let what = Line::plain(what).clipped(room.max("working".len()));
        Some(what.with(rest, Style::DIM))
    }

    /// What was written elsewhere than on the terminal, such as in the editor.
    pub(crate) fn take_draft(&mut self) -> Option<String> {
        (!self.composer.is_empty()).then(|| self.composer.take().text)
    }

    /// Says what will not be sent: here nobody can go on with it.
    pub(crate) fn drop_draft(&mut self) {
        if let Some(text) = self.take_draft() {
            self.transcript.note(&format!("not sent: {text}"));
            self.transcript.gap();
        }
    }
}
