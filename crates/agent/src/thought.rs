//! A thought's heading and body.

use pollux_types::Event;

/// What comes next of a thought: `text`, after `before`, which is empty at its beginning. A bold
/// run that stands at the beginning of a line is its subject, and all else the description: not a
/// blank of it is changed, so that what comes word by word can be joined.
pub(crate) fn event(before: &str, text: &str) -> Event {
    let begins_line = before.is_empty() || before.ends_with('\n');
    let heading = heading(text).filter(|(_, rest)| begins_line || rest.starts_with('\n'));
    let (subject, description) = heading.unwrap_or(("", text));
    Event::Thought {
        subject: subject.to_owned(),
        description: description.to_owned(),
    }
}

/// The bold run that a text begins with, and what follows it.
fn heading(text: &str) -> Option<(&str, &str)> {
    let (subject, rest) = text.strip_prefix("**")?.split_once("**")?;
    let subject = subject.trim();
    let is_one = !subject.is_empty() && !subject.contains('\n');
    is_one.then_some((subject, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, text: &str, subject: &str, description: &str) {
        let expected = Event::Thought {
            subject: subject.to_owned(),
            description: description.to_owned(),
        };
        assert_eq!(event(before, text), expected);
    }

    #[test]
    fn a_bold_run_at_the_beginning_is_the_subject() {
        let rest = "\n\nLook first, **then** act.\n";
        let text = format!("**Plan**{rest}");
        check("", &text, "Plan", rest);
        check("That is it.\n", &text, "Plan", rest);
        // Some servers end a thought without a line break.
        check("That is it.", &text, "Plan", rest);
    }

    #[test]
    fn any_other_text_is_left_as_it_came() {
        check("weigh", " and", "", " and");
        check("", "So: **Plan** it", "", "So: **Plan** it");
        check("weigh ", "**two** options, ", "", "**two** options, ");
        check("weigh ", "**two**", "", "**two**");
        check("", "2 ** 3", "", "2 ** 3");
        check("", "**** not **a** heading", "", "**** not **a** heading");
        check("", "**not\none**", "", "**not\none**");
    }
}
