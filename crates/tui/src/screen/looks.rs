//! What a terminal can do, and what the person wants of it.

use std::sync::Arc;

use crate::line::Span;
use crate::style::Style;

/// What may be shown, and how it gets onto the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    /// Whether colours are wanted. Bold, dim and the other attributes stay without them, and inline
    /// code keeps its backticks.
    pub color: bool,
    /// Whether links lead somewhere (OSC 8), or are plain text.
    pub links: bool,
    /// What the terminal does with its rows when its width changes.
    pub rewrap: Rewrap,
    /// Whether a change is shown all at once (DEC mode 2026). Terminals that do not know the mode
    /// ignore it.
    pub synchronized: bool,
}

impl Looks {
    /// What is left of the look of `span`.
    pub(super) fn ink(self, span: &Span) -> Ink {
        let style = Style {
            color: span.style.color.filter(|_| self.color),
            ..span.style
        };
        // An address with a control character could end its sequence early and begin another.
        let is_wanted = |link: &&Arc<str>| self.links && !link.contains(char::is_control);
        Ink {
            style,
            link: span.link.as_ref().filter(is_wanted).cloned(),
        }
    }
}

/// The look of a piece of text on this terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ink {
    pub(super) style: Style,
    pub(super) link: Option<Arc<str>>,
}

/// What a terminal does with its rows when its width changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrap {
    /// Long lines are broken anew: most terminals of today, and tmux.
    Yes,
    /// Rows stay as they are, cut at the edge: xterm, GNU screen, st, the Linux console.
    No,
}

impl Rewrap {
    /// What the terminal does, as far as its environment (`variable`) tells.
    pub fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        // A multiplexer stands between pollux and the terminal, whatever that is.
        if is_set("TMUX") || is_set("ZELLIJ") {
            return Self::Yes;
        }
        let term = variable("TERM").unwrap_or_default();
        let cuts = is_set("XTERM_VERSION")
            || is_set("STY")
            || matches!(term.as_str(), "linux" | "st")
            || term.starts_with("st-");
        if cuts { Self::No } else { Self::Yes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_what_the_terminal_does() {
        let of = |variables: &[(&str, &str)]| {
            Rewrap::of_terminal(|name| {
                let found = variables.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        let yes: [&[(&str, &str)]; 6] = [
            &[],
            &[("TERM", "xterm-256color")],
            &[("TERM", "xterm-256color"), ("XTERM_VERSION", "")],
            &[
                ("TERM", "tmux-256color"),
                ("TMUX", "/tmp/tmux-1000/default,1,0"),
            ],
            &[("TMUX", "/tmp/t,1,0"), ("XTERM_VERSION", "XTerm(390)")],
            &[("TERM", "sterm")],
        ];
        let no: [&[(&str, &str)]; 5] = [
            &[("TERM", "xterm"), ("XTERM_VERSION", "XTerm(390)")],
            &[("TERM", "screen"), ("STY", "1234.pts-0.host")],
            &[("TERM", "linux")],
            &[("TERM", "st-256color")],
            &[("TERM", "st")],
        ];
        for variables in yes {
            assert_eq!(of(variables), Rewrap::Yes, "{variables:?}");
        }
        for variables in no {
            assert_eq!(of(variables), Rewrap::No, "{variables:?}");
        }
    }
}
