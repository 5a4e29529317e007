//! The colours of code: few, from the terminal's own palette.
//!
//! Colours only help reading; nothing is said by them alone. Grammars are loaded when code is met
//! for the first time, or ahead of that by [`warm`].

use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use crate::line::{Line, Span, untabbed};
use crate::style::{Color, Style};

/// A longer line is left plain, in bytes.
const LONGEST_LINE: usize = 2_000;

/// Lines below these are left plain.
const MOST_LINES: usize = 5_000;

static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// What looks how. The most telling scope of a piece of code decides, and of several looks for it
/// the last one.
static LOOKS: LazyLock<Vec<(Scope, Style)>> = LazyLock::new(|| {
    let looks = [
        ("comment", Style::DIM),
        ("string", Style::color(Color::GREEN)),
        ("constant", Style::color(Color::CYAN)),
        ("keyword", Style::color(Color::MAGENTA)),
        ("keyword.operator", Style::PLAIN),
        ("storage", Style::color(Color::MAGENTA)),
        ("entity.name.function", Style::color(Color::BLUE)),
        ("support.function", Style::color(Color::BLUE)),
        ("variable.function", Style::color(Color::BLUE)),
        ("support.macro", Style::color(Color::BLUE)),
        ("entity.name.tag", Style::color(Color::BLUE)),
        ("markup.inserted", Style::color(Color::GREEN)),
        ("markup.deleted", Style::color(Color::RED)),
        ("markup.heading", Style::BOLD),
    ];
    let scope = |(name, style)| Scope::new(name).ok().map(|scope| (scope, style));
    looks.into_iter().filter_map(scope).collect()
});

/// Loads the grammars, which takes a moment, before somebody waits for them.
pub fn warm() {
    LazyLock::force(&GRAMMARS);
}

/// Colours code line by line.
#[derive(Clone, Debug)]
pub struct Highlighter {
    state: ParseState,
    scopes: ScopeStack,
    lines: usize,
}

impl Highlighter {
    /// For code in a language, by one of its names or the extension of its files.
    pub fn new(language: &str) -> Option<Self> {
        let token = match language.to_ascii_lowercase().as_str() {
            "" | "text" | "txt" | "plain" | "plaintext" => return None,
            "shell" | "console" | "shell-session" => "sh".to_owned(),
            "golang" => "go".to_owned(),
            "jsonc" | "json5" => "json".to_owned(),
            other => other.to_owned(),
        };
        let grammar = GRAMMARS.find_syntax_by_token(&token)?;
        Some(Self {
            state: ParseState::new(grammar),
            scopes: ScopeStack::new(),
            lines: 0,
        })
    }

    /// The next line, without its line break.
    pub fn line(&mut self, text: &str) -> Line {
        self.lines += 1;
        if text.len() > LONGEST_LINE || self.lines > MOST_LINES {
            return plain(text);
        }
        let source = format!("{text}\n");
        let Ok(changes) = self.state.parse_line(&source, &GRAMMARS) else {
            return plain(text);
        };
        let mut line = Line::default();
        let mut from = 0;
        for (at, change) in changes {
            append(&mut line, &source[from..at], &self.scopes);
            from = at;
            if self.scopes.apply(&change).is_err() {
                break;
            }
        }
        append(&mut line, &source[from..], &self.scopes);
        line
    }
}

/// Code without colours.
pub(crate) fn plain(text: &str) -> Line {
    Line::plain(untabbed(text))
}

fn append(line: &mut Line, text: &str, scopes: &ScopeStack) {
    let text = untabbed(text.trim_end_matches('\n'));
    if !text.is_empty() {
        line.append(&text, &Span::new("", look(scopes)));
    }
}

fn look(scopes: &ScopeStack) -> Style {
    let look = |scope: &Scope| {
        let mut looks = LOOKS.iter().rev();
        looks.find(|(prefix, _)| prefix.is_prefix_of(*scope))
    };
    let found = scopes.as_slice().iter().rev().find_map(look);
    found.map_or(Style::PLAIN, |(_, style)| *style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(line: &Line) -> Vec<(&str, Style)> {
        let spans = line.spans.iter();
        spans.map(|span| (span.text.as_str(), span.style)).collect()
    }

    #[test]
    fn what_began_in_one_line_goes_on_in_the_next() {
        let mut code = Highlighter::new("json").unwrap();
        let number = Style::color(Color::CYAN);
        assert_eq!(
            styles(&code.line("[\t1,")),
            [("[    ", Style::PLAIN), ("1", number), (",", Style::PLAIN)]
        );
        let mut code = Highlighter::new("C").unwrap();
        assert_eq!(styles(&code.line("/* a")), [("/* a", Style::DIM)]);
        assert_eq!(
            styles(&code.line("b */ x")),
            [("b */", Style::DIM), (" x", Style::PLAIN)]
        );
    }

    #[test]
    fn languages_are_known_by_many_names() {
        for name in [
            "rust", "rs", "Python", "py", "ts", "tsx", "bash", "console", "c++", "toml", "yaml",
            "diff",
        ] {
            assert!(Highlighter::new(name).is_some(), "{name}");
        }
        for name in ["", "text", "no such language"] {
            assert!(Highlighter::new(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_very_long_line_is_plain() {
        let mut code = Highlighter::new("json").unwrap();
        assert_eq!(code.line(&"1,".repeat(1_001)).spans.len(), 1);
        assert!(code.line("1,").spans.len() > 1);
    }
}
