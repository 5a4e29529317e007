//! A question that must be answered before anything goes on. There is never more than one.

use pollux_edit::{Code, Key, Text};
use pollux_types::{ApprovalRequest, CallStatus, CallView, Command, Decision, Proposal};

use super::{App, Editing, Effect, Purpose};
use crate::approval::{self, Answer};

/// A call that waits, and the answer so far.
pub(super) struct Dialog {
    pub(super) request: ApprovalRequest,
    pub(super) typed: Text,
}

impl App {
    pub(super) fn ask(&mut self, request: ApprovalRequest) -> Vec<Effect> {
        let shown = approval::shown(&request);
        self.transcript.propose(shown, approval::change(&request));
        self.dialog = Some(Dialog {
            request,
            typed: Text::new(),
        });
        vec![Effect::Notify("pollux asks for approval")]
    }

    /// A question that was settled in another way, such as by another mode, is none any more.
    pub(super) fn settled_elsewhere(&mut self, view: &CallView) {
        let waits = view.status == CallStatus::AwaitingApproval;
        self.dialog
            .take_if(|dialog| dialog.request.call == view.id && !waits);
    }

    pub(super) fn press_in_dialog(&mut self, key: Key) -> Vec<Effect> {
        let Some(dialog) = &mut self.dialog else {
            return Vec::new();
        };
        match (key.code, key.ctrl) {
            (Code::Enter, false) => return self.answer(),
            (Code::Esc, _) => return self.cancel(),
            (Code::Char('c'), true) => return vec![Effect::Interrupt],
            (Code::Char('z'), true) => return vec![Effect::Suspend],
            (Code::Char('l'), true) => return vec![Effect::ClearScreen],
            (Code::Char('u'), true) => dialog.typed.set(""),
            (Code::Backspace, _) | (Code::Char('h'), true) => {
                let mut text = dialog.typed.as_str().to_owned();
                text.pop();
                dialog.typed.set(&text);
            }
            _ => {
                if let Some(typed) = key.typed() {
                    dialog.typed.insert(typed.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Vec::new()
    }

    fn answer(&mut self) -> Vec<Effect> {
        let Some(dialog) = &mut self.dialog else {
            return Vec::new();
        };
        let line = dialog.typed.take();
        match approval::understood(&line, &dialog.request) {
            Answer::Unclear => Vec::new(),
            Answer::Edit => dialog.proposal().map(Effect::Edit).into_iter().collect(),
            Answer::Decision(decision) => self.decide(decision),
        }
    }

    pub(super) fn decide(&mut self, decision: Decision) -> Vec<Effect> {
        let Some(Dialog { request, .. }) = self.dialog.take() else {
            return Vec::new();
        };
        vec![Effect::Send(Command::Decide {
            call: request.call,
            fingerprint: request.fingerprint,
            decision,
        })]
    }
}

impl Dialog {
    /// The file that would be written, to be changed first.
    fn proposal(&self) -> Option<Editing> {
        let Proposal::Edit {
            content: Some(content),
            change,
        } = &self.request.proposal
        else {
            return None;
        };
        let name = change.path.rsplit('/').next().unwrap_or("proposal");
        Some(Editing {
            content: content.clone(),
            name: name.to_owned(),
            purpose: Purpose::Proposal,
        })
    }
}
