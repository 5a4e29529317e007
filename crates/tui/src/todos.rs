//! The todo list, as lines.

use pollux_types::{Todo, TodoStatus};

use crate::line::{Line, one_line};
use crate::style::{Color, Style};
use crate::wrap::{Indent, wrap};

/// What the list is called where there is none.
pub const NONE: &str = "no todos yet";

/// The width of a screen on which nothing is broken.
pub const UNBROKEN: usize = 1 << 16;

/// How far each is, in a word, and what it is. No colour tells anything that the word does not.
pub fn todo_lines(todos: &[Todo], width: usize) -> Vec<Line> {
    let rows = todos.iter().flat_map(|todo| {
        let (word, style) = look(todo.status);
        let word = Line::new(format!("  {word:<13}"), style);
        let indent = Indent {
            rest: Line::plain(" ".repeat(word.width())),
            first: word,
        };
        let line = Line::new(one_line(&todo.description), style);
        wrap(&line, width, &indent)
    });
    rows.collect()
}

fn look(status: TodoStatus) -> (&'static str, Style) {
    match status {
        TodoStatus::Pending => ("pending", Style::DIM),
        TodoStatus::InProgress => ("in_progress", Style::color(Color::YELLOW)),
        TodoStatus::Completed => ("done", Style::color(Color::CYAN)),
        TodoStatus::Cancelled => ("cancelled", Style::DIM),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn todo(description: &str, status: TodoStatus) -> Todo {
        Todo {
            description: description.to_owned(),
            status,
        }
    }

    #[test]
    fn each_is_told_in_words() {
        let todos = [
            todo("look\nat it", TodoStatus::Completed),
            todo("mend what is broken and test it", TodoStatus::InProgress),
            todo("say so\x1b[2J", TodoStatus::Pending),
            todo("rest", TodoStatus::Cancelled),
        ];
        let lines = todo_lines(&todos, 40);
        let text: Vec<String> = lines.iter().map(Line::text).collect();
        insta::assert_snapshot!(text.join("\n"), @r"
        done         look at it
        in_progress  mend what is broken and
                     test it
        pending      say so\e[2J
        cancelled    rest
        ");
        let styles: Vec<Style> = lines.iter().map(|line| line.spans[0].style).collect();
        let [cyan, yellow] = [Color::CYAN, Color::YELLOW].map(Style::color);
        let expected = [cyan, yellow, Style::PLAIN, Style::DIM, Style::DIM];
        assert_eq!(styles, expected);
    }
}
