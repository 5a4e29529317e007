//! What happens within a line: emphasis, code, links.
//!
//! Text is cut into stretches that mean something by themselves: a word, or all that stands
//! between the marks around it. [`open::Open`] knows where a stretch may end, and how a stretch
//! looks is up to `pulldown_cmark`.

mod open;
mod render;

use unicode_width::UnicodeWidthChar as _;

use crate::line::Span;
use crate::screen::Looks;
use crate::style::Style;

use open::Open;

/// A line break within a stretch. Nothing from outside holds this character: it is spelled out.
pub(super) const BREAK: char = '\u{c}';

/// Stands beside a mark that is meant to open or close but would not, and is never shown. Nothing
/// from outside holds it either.
const SPACER: char = '\u{2028}';

/// How many bytes an unclosed mark holds back. What is not closed by then is no mark.
pub(super) const HELD: usize = 600;

/// Text of a line, a stretch at a time.
#[derive(Clone, Debug)]
pub(super) struct Inline {
    style: Style,
    looks: Looks,
    /// The stretch that has not ended yet.
    stretch: String,
    open: Open,
}

impl Inline {
    /// Text whose look is `style` where it says nothing else.
    pub(super) fn new(style: Style, looks: Looks) -> Self {
        Self {
            style,
            looks,
            stretch: String::new(),
            open: Open::default(),
        }
    }

    pub(super) fn push(&mut self, c: char) {
        if let Some(back) = self.open.see(c) {
            self.stretch.insert(self.stretch.len() - back, SPACER);
        }
        self.stretch.push(c);
    }

    /// Whether the stretch ends here, whatever comes next.
    pub(super) fn is_settled(&self) -> bool {
        let ends_word = |c: char| c.is_whitespace() || is_ideograph(c);
        let is_between = self.stretch.ends_with(ends_word);
        is_between && (self.open.is_closed() || self.stretch.len() >= HELD)
            || self.stretch.len() >= 2 * HELD
    }

    /// Whether the stretch ends here if the line does.
    pub(super) fn ends_here(&self) -> bool {
        let mut open = self.open.clone();
        open.see(BREAK);
        open.is_closed() || self.stretch.len() >= HELD
    }

    /// The stretch as it looks if it ends here.
    pub(super) fn take(&mut self) -> Vec<Span> {
        self.open = Open::default();
        let stretch = std::mem::take(&mut self.stretch);
        render::spans(&stretch, self.style, self.looks)
    }
}

/// Whether this is a word by itself, or as good as one.
fn is_ideograph(c: char) -> bool {
    !c.is_ascii() && c.is_alphanumeric() && c.width() == Some(2)
}

/// A whole line of text.
pub(super) fn spans(text: &str, style: Style, looks: Looks) -> Vec<Span> {
    let mut inline = Inline::new(style, looks);
    let mut spans = Vec::new();
    for c in text.chars() {
        inline.push(c);
        if inline.is_settled() {
            spans.append(&mut inline.take());
        }
    }
    spans.append(&mut inline.take());
    spans
}
