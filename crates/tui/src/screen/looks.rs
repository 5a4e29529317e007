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
    /// Long lines are broken anew: most terminals of today, tmux and GNU screen.
    Yes,
    /// Rows stay as they are, cut at the edge: xterm, st, the Linux console.
    No,
}

/// Terminals that rewrap, by how their `TERM` begins.
const REWRAPPING_TERMS: &[&str] = &[
    "alacritty",
    "contour",
    "foot",
    "ghostty",
    "konsole",
    "mintty",
    "tmux",
    "vte",
    "wezterm",
    "xterm-ghostty",
    "xterm-kitty",
];

/// The same by a variable that they set, for those that call themselves `xterm`.
const REWRAPPING_VARIABLES: &[&str] = &[
    "ALACRITTY_WINDOW_ID",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "VTE_VERSION",
    "WT_SESSION",
];

/// The same by `TERM_PROGRAM`. The terminal of VS Code is none: it leaves the row of the cursor.
const REWRAPPING_PROGRAMS: &[&str] = &[
    "Apple_Terminal",
    "iTerm.app",
    "WezTerm",
    "ghostty",
    "mintty",
];

impl Rewrap {
    /// What the terminal does, as far as its environment (`variable`) tells. Over ssh there is often
    /// only `TERM`, and everybody claims to be an xterm. Who takes a terminal that rewraps for one
    /// that cuts leaves some live rows behind after a resize; the other way round settled rows are
    /// erased. So a terminal that says nothing cuts.
    pub fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name: &str| variable(name).filter(|value| !value.is_empty());
        let is_set = |name: &&str| value(name).is_some();
        let term = value("TERM").unwrap_or_default();
        // A multiplexer stands between pollux and the terminal, whatever that is.
        if is_set(&"TMUX") || is_set(&"ZELLIJ") || term.starts_with("screen") {
            return Self::Yes;
        }
        // Variables are passed on to other terminals that are started from this one.
        if is_set(&"XTERM_VERSION") || is_set(&"STY") {
            return Self::No;
        }
        let program = value("TERM_PROGRAM").unwrap_or_default();
        let named = REWRAPPING_TERMS.iter().any(|name| term.starts_with(name));
        let told = REWRAPPING_VARIABLES.iter().any(is_set)
            || REWRAPPING_PROGRAMS.contains(&program.as_str());
        if named || (told && term.starts_with("xterm")) {
            Self::Yes
        } else {
            Self::No
        }
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
        let yes: [&[(&str, &str)]; 9] = [
            &[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")],
            &[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")],
            &[("TERM", "xterm-kitty")],
            &[("TERM", "alacritty")],
            &[("TERM", "tmux-256color")],
            &[("TERM", "screen"), ("TMUX", "/tmp/tmux-1000/default,1,0")],
            &[("TMUX", "/tmp/t,1,0"), ("XTERM_VERSION", "XTerm(390)")],
            &[
                ("TERM", "screen.xterm-256color"),
                ("STY", "1234.pts-0.host"),
                ("XTERM_VERSION", "XTerm(390)"),
            ],
            // In tmux or screen, and over ssh.
            &[("TERM", "screen-256color")],
        ];
        let no: [&[(&str, &str)]; 10] = [
            &[],
            // Whoever comes over ssh.
            &[("TERM", "xterm")],
            &[("TERM", "xterm-256color"), ("SSH_TTY", "/dev/pts/1")],
            &[("TERM", "xterm-256color"), ("VTE_VERSION", "")],
            &[("TERM", "xterm-256color"), ("TERM_PROGRAM", "vscode")],
            &[("TERM", "xterm"), ("XTERM_VERSION", "XTerm(390)")],
            // Started from another terminal.
            &[
                ("TERM", "xterm"),
                ("XTERM_VERSION", "XTerm(390)"),
                ("VTE_VERSION", "7600"),
            ],
            &[("TERM", "st-256color"), ("VTE_VERSION", "7600")],
            &[("TERM", "xterm"), ("STY", "1234.pts-0.host")],
            &[("TERM", "linux")],
        ];
        for variables in yes {
            assert_eq!(of(variables), Rewrap::Yes, "{variables:?}");
        }
        for variables in no {
            assert_eq!(of(variables), Rewrap::No, "{variables:?}");
        }
    }
}
