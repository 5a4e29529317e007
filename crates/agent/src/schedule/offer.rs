//! Offering a command again that the sandbox has refused something.
//!
//! It is a person who lets something out of the sandbox, in every mode: each permission is asked
//! for once, and holds for one run of one command.

use pollux_tools::{Grant, Output, Preview};
use pollux_types::{CallView, fingerprint};

use super::{Ready, Terms};
use crate::policy::{Question, Verdict};
use crate::reply::Asked;
use crate::session::Agent;

/// How much is shown of what a command has printed.
const LAST_LINES: usize = 6;
const LAST_BYTES: usize = 2000;

impl Agent {
    /// The same call with what it was missing, to be asked about; `None` if its output stands.
    pub(super) fn offered(
        &self,
        asked: &Asked,
        output: &Output,
        mut terms: Terms,
        mut view: CallView,
    ) -> Option<Ready> {
        let grant = output.lacks.as_ref()?;
        if !self.asks || terms.granted.contains(grant) {
            return None;
        }
        let (mut plan, mut effects) = self.understand(asked, &mut view).ok()?;
        if let Some(content) = &terms.revised {
            // It is what the person wrote that ran, and that runs again.
            plan = plan.revised(content.clone())?;
            effects = plan.effects();
            view.summary = plan.summary();
        }
        let mut question = match self.policy.verdict(&view.name, &effects) {
            Verdict::Ask(question) => question,
            Verdict::Allow => Question::default(),
            Verdict::Deny(_) => return None,
        };
        if !question.dangerous {
            // Those were for the first run.
            question.reasons.clear();
        }
        question.dangerous |= self.policy.is_dangerous(grant);
        (question.always, question.once) = (vec![], None);
        let lacking = lacking(grant);
        question.reasons.insert(0, lacking.clone());
        let twice = "it has run: yes runs it again with this allowed, and what it has done may \
                     happen twice";
        question.reasons.push(twice.to_owned());
        let mut request = self.request(&view, &effects, question, Preview::default());
        let pieces = [request.fingerprint.as_bytes(), lacking.as_bytes()];
        request.fingerprint = fingerprint(&pieces);
        request.printed = last_lines(&output.text);
        terms.granted.push(grant.clone());
        Some(Ready {
            plan,
            effects,
            request: Some(request),
            terms,
        })
    }
}

/// The end of what a command has printed: what it complains about is there.
fn last_lines(printed: &str) -> String {
    let lines: Vec<&str> = printed.trim_end().lines().collect();
    let last = lines[lines.len().saturating_sub(LAST_LINES)..].join("\n");
    last[last.ceil_char_boundary(last.len().saturating_sub(LAST_BYTES))..].to_owned()
}

/// What the sandbox has refused, going by what the command printed, and what would be allowed.
fn lacking(grant: &Grant) -> String {
    let refused = match grant {
        Grant::Write(path) if path.is_dir() => {
            format!("writing `{}` and all that is in it", path.display())
        }
        Grant::Write(path) | Grant::Open(path) => format!("writing `{}`", path.display()),
        Grant::Protected(path) => {
            let path = path.display();
            format!("changing `{path}`, which decides what other programs run")
        }
        Grant::Network => "the network, all of it".to_owned(),
    };
    format!("what the sandbox refused: {refused} (a guess, by what it printed)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_whole_and_short() {
        assert_eq!(last_lines(""), "");
        assert_eq!(last_lines("a\n\nb\n\n"), "a\n\nb");
        assert_eq!(last_lines("1\n2\n3\n4\n5\n6\n7\n"), "2\n3\n4\n5\n6\n7");
        let long = last_lines(&"\u{20ac}".repeat(LAST_BYTES));
        assert_eq!(long.chars().count(), LAST_BYTES / 3);
    }
}
