//! Lines and sizes, as chance will have them.

use std::sync::Arc;

use pollux_tui::line::{Line, Span};
use pollux_tui::screen::Size;
use pollux_tui::style::{Color, Style};

/// A generator of numbers that are the same in every run.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        // A few rounds, so that neighbouring seeds have nothing in common.
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            dice.roll(2);
        }
        dice
    }

    /// A number below `sides`.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % u64::try_from(sides).unwrap()).unwrap()
    }

    /// True once in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())].clone()
    }

    pub(super) fn size(&mut self) -> Size {
        Size {
            width: u16::try_from(20 + self.roll(181)).unwrap(),
            height: u16::try_from(5 + self.roll(56)).unwrap(),
        }
    }

    /// Text of exactly `width` columns.
    pub(super) fn text(&mut self, width: usize, script: Script) -> String {
        let mut text = String::new();
        let mut used = 0;
        while used < width {
            let (piece, columns) = self.pick(script.pieces());
            if used + columns <= width {
                text.push_str(piece);
                used += columns;
            }
        }
        text
    }

    /// The same text in pieces of various looks.
    pub(super) fn dress(&mut self, text: &str) -> Line {
        let mut spans = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let wanted = 1 + self.roll(rest.len());
            let end = (wanted..=rest.len()).find(|end| is_boundary(rest, *end));
            let (piece, tail) = rest.split_at(end.unwrap_or(rest.len()));
            spans.push(Span {
                text: piece.to_owned(),
                style: self.style(),
                link: self.once_in(6).then(|| Arc::from("https://example.com/")),
            });
            rest = tail;
        }
        Line { spans }
    }

    fn style(&mut self) -> Style {
        Style {
            color: self.pick(&[
                None,
                None,
                Some(Color::RED),
                Some(Color::Ansi(12)),
                Some(Color::Indexed(99)),
            ]),
            bold: self.once_in(4),
            dim: self.once_in(4),
            reverse: self.once_in(8),
            ..Style::PLAIN
        }
    }
}

/// Whether a span may end there: what joins characters stays with them.
fn is_boundary(text: &str, end: usize) -> bool {
    let joins = |c: char| matches!(c, '\u{301}' | '\u{200d}' | '\u{fe0f}');
    text.is_char_boundary(end)
        && !text[end..].starts_with(['🏽', '🇪'])
        && !text[end..].starts_with(joins)
        && !text[..end].ends_with('\u{200d}')
}

/// What text is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Wide,
    /// With characters that take no column of their own.
    Marked,
    /// With characters that terminals disagree about.
    Doubtful,
    /// For live text where it must be told from what is settled.
    Greek,
}

impl Script {
    fn pieces(self) -> &'static [(&'static str, usize)] {
        match self {
            Self::Latin => &[("a", 1), ("b", 1), ("7", 1), (" ", 1), ("-", 1), ("é", 1)],
            Self::Wide => &[
                ("a", 1),
                (" ", 1),
                ("漢", 2),
                ("字", 2),
                ("🦀", 2),
                ("ｗ", 2),
            ],
            Self::Marked => &[("a", 1), ("e\u{301}", 1), ("字", 2), ("e\u{301}", 1)],
            Self::Doubtful => &[
                ("a", 1),
                ("字", 2),
                ("👩\u{200d}💻", 2),
                ("❤\u{fe0f}", 2),
                ("🇩🇪", 2),
                ("👍🏽", 2),
            ],
            Self::Greek => &[("α", 1), ("β", 1), ("γ", 1)],
        }
    }
}

/// Whether `text` holds something that only live text holds.
pub(super) fn is_live(c: char) -> bool {
    matches!(c, 'α' | 'β' | 'γ')
}
