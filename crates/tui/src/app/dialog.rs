//! A question that must be answered before anything goes on. There is never more than one.
//!
//! Questions come while somebody types. **Invariant:** no key answers a question that was not on the
//! screen for [`MOMENT`], or goes on with what was being typed: until the person has paused, keys go
//! to the draft, and the prompt of the draft is shown. Keys that stop things work at any time.

use std::time::Duration;

use pollux_edit::{Action, Context, Key, Text};
use pollux_types::{ApprovalRequest, CallId, CallStatus, CallView, Command, Decision, Question};
use tokio::time::Instant;

use super::{App, Editing, Effect, Purpose};
use crate::approval::{self, Answer};
use crate::composer::written;
use crate::line::Line;
use crate::question;
use crate::screen::Position;
use crate::style::{Color, Style};

/// How long a question is on the screen before it can be answered: nobody reads faster.
const MOMENT: Duration = Duration::from_millis(400);
/// Keys that follow each other faster than this belong together.
const PAUSE: Duration = Duration::from_secs(1);

/// What waits for an answer, and the answer so far.
pub(super) struct Dialog {
    asks: Asks,
    typed: Text,
    /// Since when it is on the screen.
    seen: Option<Instant>,
    /// Keys are for it, and the screen says so.
    listens: bool,
}

enum Asks {
    /// May this call run?
    Approval(Box<ApprovalRequest>),
    /// What the model wants to know.
    Questions {
        questions: Vec<Question>,
        answers: Vec<String>,
    },
}

impl Dialog {
    fn new(asks: Asks) -> Self {
        Self {
            asks,
            typed: Text::new(),
            seen: None,
            listens: false,
        }
    }

    /// Whether keys are for it.
    pub(super) fn listens(&self) -> bool {
        self.listens
    }

    /// It is on the screen `now`, and somebody has last typed something else then.
    pub(super) fn see(&mut self, now: Instant, typed: Option<Instant>) {
        self.seen.get_or_insert(now);
        self.listens |= self.listens_at(typed).is_some_and(|at| at <= now);
    }

    /// When it begins to listen, if that is still to come.
    pub(super) fn listens_at(&self, typed: Option<Instant>) -> Option<Instant> {
        let seen = self.seen.filter(|_| !self.listens)? + MOMENT;
        Some(typed.map_or(seen, |typed| seen.max(typed + PAUSE)))
    }

    /// What is being waited for, and what can be done about it; `esc` is the key to cancel.
    pub(super) fn waiting(&self, esc: &str) -> Line {
        let pause = if self.listens {
            ""
        } else {
            " · pause to answer"
        };
        let cancels = match self.asks {
            Asks::Approval(_) => "cancel",
            Asks::Questions { .. } => "dismiss the questions",
        };
        let text = format!("waiting for you{pause} · {esc} to {cancels}");
        Line::new(text, Style::DIM)
    }

    /// What is to be typed after.
    pub(super) fn prompt(&self) -> Line {
        let prompt = match &self.asks {
            Asks::Approval(request) => approval::choices(request),
            Asks::Questions { .. } => question::PROMPT.to_owned(),
        };
        Line::new(prompt, Style::color(Color::YELLOW))
    }

    /// The same with what is typed, in at most so many rows.
    pub(super) fn lines(&self, width: usize, most: usize) -> (Vec<Line>, Position) {
        written(&self.typed, &self.prompt(), width, most)
    }

    /// Goes on with the answer.
    fn write(&mut self, key: Key, action: Option<Action>, width: usize) {
        let indent = self.prompt().width();
        match (action, key.typed()) {
            (Some(Action::Up), _) => drop(self.typed.up(width, indent)),
            (Some(Action::Down), _) => drop(self.typed.down(width, indent)),
            (Some(action), _) => drop(self.typed.perform(action)),
            (None, Some(typed)) => self.typed.insert(typed.encode_utf8(&mut [0; 4])),
            (None, None) => {}
        }
    }

    /// Puts in what was pasted. Nobody approves by a paste.
    pub(super) fn paste(&mut self, text: &str) {
        if matches!(self.asks, Asks::Questions { .. }) {
            self.typed.paste(text);
        }
    }

    /// The file that would be written, to be changed first.
    fn proposal(&self) -> Option<Editing> {
        let Asks::Approval(request) = &self.asks else {
            return None;
        };
        let (content, name) = approval::editable(request)?;
        Some(Editing {
            content: content.to_owned(),
            name: name.to_owned(),
            purpose: Purpose::Proposal(request.call.clone()),
        })
    }
}

impl App {
    /// Asks whether a call may run.
    pub(super) fn ask(&mut self, request: ApprovalRequest) -> Vec<Effect> {
        let shown = approval::shown(&request, self.width());
        let change = approval::change(&request);
        self.transcript.propose(&request.call, shown, change);
        self.dialog = Some(Dialog::new(Asks::Approval(Box::new(request))));
        vec![Effect::Notify("pollux asks for approval")]
    }

    /// Asks what the model wants to know.
    pub(super) fn ask_questions(&mut self, questions: Vec<Question>) -> Vec<Effect> {
        self.transcript.ask(usize::from(self.size.width));
        self.dialog = Some(Dialog::new(Asks::Questions {
            questions,
            answers: Vec::new(),
        }));
        self.show_question();
        vec![Effect::Notify("pollux has a question")]
    }

    fn show_question(&mut self) {
        if let Some(Dialog {
            asks: Asks::Questions { questions, answers },
            ..
        }) = &self.dialog
        {
            let at = answers.len();
            let shown = question::shown(&questions[at], at + 1, questions.len());
            self.transcript.say(shown);
        }
    }

    /// A question that was settled in another way, such as by another mode, is none any more.
    pub(super) fn settled_elsewhere(&mut self, view: &CallView) {
        let waits = view.status == CallStatus::AwaitingApproval;
        self.dialog.take_if(|dialog| match &dialog.asks {
            Asks::Approval(request) => request.call == view.id && !waits,
            Asks::Questions { .. } => false,
        });
    }

    /// Whether it is this call that waits for an answer.
    pub(super) fn asks_about(&self, call: &CallId) -> bool {
        let asks = self.dialog.as_ref().map(|dialog| &dialog.asks);
        matches!(asks, Some(Asks::Approval(request)) if request.call == *call)
    }

    pub(super) fn press_in_dialog(&mut self, key: Key) -> Vec<Effect> {
        let action = self.composer.keymap().action(key, &[Context::Input]);
        let width = self.width();
        match (action, &mut self.dialog) {
            (Some(Action::Cancel), _) => return self.dismiss(),
            (Some(Action::Quit), _) => return vec![Effect::Interrupt],
            (Some(Action::Suspend), _) => return vec![Effect::Suspend],
            (Some(Action::ClearScreen), _) => return vec![Effect::ClearScreen],
            (Some(Action::Submit), Some(dialog)) if dialog.listens => return self.answer(),
            (Some(Action::CycleApprovalMode), Some(dialog)) if dialog.listens => {
                return self.cycle_approval();
            }
            (_, Some(dialog)) if dialog.listens => dialog.write(key, action, width),
            // The draft is written, and nothing else is done with it now.
            _ => {
                self.write(key);
                self.wrote = Some(self.now);
            }
        }
        Vec::new()
    }

    /// In an approval Esc stops everything; questions can be sent away by themselves.
    pub(super) fn dismiss(&mut self) -> Vec<Effect> {
        let questions = |dialog: &mut Dialog| matches!(dialog.asks, Asks::Questions { .. });
        match self.dialog.take_if(questions) {
            Some(_) => {
                self.transcript.note("the questions are dismissed");
                vec![Effect::Send(Command::Answer(None))]
            }
            None => self.cancel(),
        }
    }

    /// Takes a whole line for the answer; `None` if there is no question that listens.
    pub(super) fn answer_in_line(&mut self, line: &str) -> Option<Vec<Effect>> {
        let dialog = self.dialog.as_mut().filter(|dialog| dialog.listens)?;
        dialog.typed.set(line);
        Some(self.answer())
    }

    fn answer(&mut self) -> Vec<Effect> {
        let Some(dialog) = &mut self.dialog else {
            return Vec::new();
        };
        let line = dialog.typed.take();
        match &dialog.asks {
            Asks::Approval(request) => match approval::understood(&line, request) {
                Answer::Unclear => {
                    let words = approval::words(request).join(", ");
                    let hint = match line.trim() {
                        "" => format!("type one of {words}, and Enter"),
                        _ => format!("`{line}` is no answer; type one of {words}, and Enter"),
                    };
                    self.transcript.note(&hint);
                    Vec::new()
                }
                Answer::Edit => dialog.proposal().map(Effect::Edit).into_iter().collect(),
                Answer::Decision(decision) => self.decide(decision),
            },
            Asks::Questions { .. } => self.answer_question(&line),
        }
    }

    fn answer_question(&mut self, line: &str) -> Vec<Effect> {
        let Some(Dialog {
            asks: Asks::Questions { questions, answers },
            seen,
            listens,
            ..
        }) = &mut self.dialog
        else {
            return Vec::new();
        };
        let Some(answer) = question::understood(line, &questions[answers.len()]) else {
            return Vec::new();
        };
        let said = format!("{}{answer}", question::PROMPT);
        answers.push(answer);
        if answers.len() < questions.len() {
            // Nobody has read the next one yet.
            (*seen, *listens) = (None, false);
            self.say(&said);
            self.show_question();
            return Vec::new();
        }
        let answers = std::mem::take(answers);
        self.dialog = None;
        self.say(&said);
        vec![Effect::Send(Command::Answer(Some(answers)))]
    }

    pub(super) fn decide(&mut self, decision: Decision) -> Vec<Effect> {
        let Some(Dialog {
            asks: Asks::Approval(request),
            ..
        }) = self.dialog.take()
        else {
            return Vec::new();
        };
        self.transcript.answered(&decision);
        vec![Effect::Send(Command::Decide {
            call: request.call,
            fingerprint: request.fingerprint,
            decision,
        })]
    }
}
