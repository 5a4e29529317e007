//! A question that must be answered before anything goes on. There is never more than one.

use pollux_edit::{Action, Code, Key, Text};
use pollux_types::{ApprovalRequest, CallStatus, CallView, Command, Decision, Question};

use super::{App, Editing, Effect, Purpose};
use crate::approval::{self, Answer};
use crate::composer::written;
use crate::line::Line;
use crate::question;
use crate::screen::Position;
use crate::style::{Color, Style};

/// What waits for an answer, and the answer so far.
pub(super) struct Dialog {
    asks: Asks,
    typed: Text,
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
        }
    }

    /// What is to be typed after, and what is typed, in at most so many rows.
    pub(super) fn lines(&self, width: usize, most: usize) -> (Vec<Line>, Position) {
        let prompt = match &self.asks {
            Asks::Approval(request) => approval::choices(request),
            Asks::Questions { .. } => question::PROMPT.to_owned(),
        };
        let prompt = Line::new(prompt, Style::color(Color::YELLOW));
        written(&self.typed, &prompt, width, most)
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
            purpose: Purpose::Proposal,
        })
    }
}

impl App {
    /// Asks whether a call may run.
    pub(super) fn ask(&mut self, request: ApprovalRequest) -> Vec<Effect> {
        let shown = approval::shown(&request);
        self.transcript.propose(shown, approval::change(&request));
        self.dialog = Some(Dialog::new(Asks::Approval(Box::new(request))));
        vec![Effect::Notify("pollux asks for approval")]
    }

    /// Asks what the model wants to know.
    pub(super) fn ask_questions(&mut self, questions: Vec<Question>) -> Vec<Effect> {
        self.transcript.gap();
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

    pub(super) fn press_in_dialog(&mut self, key: Key) -> Vec<Effect> {
        let Some(dialog) = &mut self.dialog else {
            return Vec::new();
        };
        match (key.code, key.ctrl) {
            (Code::Enter, false) => return self.answer(),
            (Code::Esc, _) => return self.dismiss(),
            (Code::Char('c'), true) => return vec![Effect::Interrupt],
            (Code::Char('z'), true) => return vec![Effect::Suspend],
            (Code::Char('l'), true) => return vec![Effect::ClearScreen],
            (Code::Char('u'), true) => dialog.typed.set(""),
            (Code::Backspace, _) | (Code::Char('h'), true) => {
                dialog.typed.perform(Action::DeleteLeft);
            }
            _ => {
                if let Some(typed) = key.typed() {
                    dialog.typed.insert(typed.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Vec::new()
    }

    /// In an approval Esc stops everything; questions can be sent away by themselves.
    fn dismiss(&mut self) -> Vec<Effect> {
        let questions = |dialog: &mut Dialog| matches!(dialog.asks, Asks::Questions { .. });
        match self.dialog.take_if(questions) {
            Some(_) => {
                self.transcript.note("the questions are dismissed");
                vec![Effect::Send(Command::Answer(None))]
            }
            None => self.cancel(),
        }
    }

    fn answer(&mut self) -> Vec<Effect> {
        let Some(dialog) = &mut self.dialog else {
            return Vec::new();
        };
        let line = dialog.typed.take();
        match &dialog.asks {
            Asks::Approval(request) => match approval::understood(&line, request) {
                Answer::Unclear => {
                    let hint = format!("`{line}` is no answer; type one and Enter");
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
        vec![Effect::Send(Command::Decide {
            call: request.call,
            fingerprint: request.fingerprint,
            decision,
        })]
    }
}
