//! A thought's heading and body.

use pollux_types::Event;

/// The first bold run is the subject, the rest the description. A thought that comes word by word
/// has no heading; its white space is kept, so that the words can be joined.
pub(crate) fn event(text: &str) -> Event {
    let bold = text.split_once("**").and_then(|(before, rest)| {
        let (subject, after) = rest.split_once("**")?;
        Some((subject.trim(), format!("{before}{after}").trim().to_owned()))
    });
    match bold {
        Some((subject, description)) => Event::Thought {
            subject: subject.to_owned(),
            description,
        },
        None => Event::Thought {
            subject: String::new(),
            description: text.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, subject: &str, description: &str) {
        let expected = Event::Thought {
            subject: subject.to_owned(),
            description: description.to_owned(),
        };
        assert_eq!(event(text), expected);
    }

    #[test]
    fn the_first_bold_run_is_the_subject() {
        check(
            "**Plan**\n\nLook first, **then** act.",
            "Plan",
            "Look first, **then** act.",
        );
        check("So: **Plan** it", "Plan", "So:  it");
    }

    #[test]
    fn without_a_heading_nothing_is_trimmed() {
        check(" and", "", " and");
        check("2 ** 3", "", "2 ** 3");
    }
}
