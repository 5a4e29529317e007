//! Questions of the model: what is shown, and what an answer means.

use pollux_types::{Question, QuestionOption};

use crate::line::{Line, one_line};
use crate::style::{Color, Style};

/// What is typed after.
pub const PROMPT: &str = "> ";

/// A question as it is shown, the `number`th of so many.
pub fn shown(question: &Question, number: usize, of: usize) -> Vec<Line> {
    let place = if of > 1 {
        format!("[Question {number}/{of}]")
    } else {
        "[Question]".to_owned()
    };
    let text = one_line(question.question.trim());
    let head = Line::new(place, Style::color(Color::YELLOW));
    let mut lines = vec![head.with(format!(" {text}"), Style::PLAIN)];
    let options = question.options.iter().enumerate();
    lines.extend(options.map(|(at, option)| Line::plain(choice(at, option))));
    lines.push(Line::default());
    lines
}

fn choice(at: usize, option: &QuestionOption) -> String {
    let recommended = if at == 0 { " (Recommended)" } else { "" };
    let description = option.description.as_deref().unwrap_or_default();
    let description = match one_line(description.trim()) {
        nothing if nothing.is_empty() => nothing,
        something => format!(" — {something}"),
    };
    let label = one_line(option.label.trim());
    format!("  {}. {label}{recommended}{description}", at + 1)
}

/// What an answer means: a number is that option, nothing is no answer, all else is itself.
pub fn understood(line: &str, question: &Question) -> Option<String> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    let number = line.parse::<usize>().ok();
    let option = number.and_then(|number| question.options.get(number.checked_sub(1)?));
    Some(option.map_or(line, |option| &option.label).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        let option = |label: &str, description: Option<&str>| QuestionOption {
            label: label.into(),
            description: description.map(str::to_owned),
        };
        Question {
            question: "Which\none\u{1b}?".into(),
            options: vec![option("SQLite", Some("one file")), option("none", None)],
        }
    }

    #[test]
    fn questions_are_numbered_and_so_are_their_options() {
        let text = |number, of| {
            let lines = shown(&question(), number, of);
            let lines: Vec<String> = lines.iter().map(Line::text).collect();
            lines.join("\n")
        };
        insta::assert_snapshot!(text(2, 3), @r"
        [Question 2/3] Which one\e?
          1. SQLite (Recommended) — one file
          2. none
        ");
        assert!(text(1, 1).starts_with("[Question] Which"));
    }

    #[test]
    fn a_number_is_an_option_and_other_words_are_themselves() {
        let answer = |line| understood(line, &question());
        assert_eq!(answer(" 1 ").as_deref(), Some("SQLite"));
        assert_eq!(answer("2").as_deref(), Some("none"));
        assert_eq!(answer("3").as_deref(), Some("3"));
        assert_eq!(answer("0").as_deref(), Some("0"));
        assert_eq!(
            answer("Postgres, please").as_deref(),
            Some("Postgres, please")
        );
        assert_eq!(answer("  "), None);
    }
}
