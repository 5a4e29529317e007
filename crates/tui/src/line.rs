//! Lines of styled text.
//!
//! Their text is safe to print: whoever makes a line out of something that came from outside has
//! passed it through `pollux_types::untrusted::visible`.

use std::sync::Arc;

use pollux_types::untrusted::visible;
use unicode_width::UnicodeWidthStr;

use crate::clip::clip;
use crate::style::Style;

/// A piece of text of one look. It holds no line breaks and no tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// Its look.
    pub style: Style,
    /// Where it leads, if it is a link.
    pub link: Option<Arc<str>>,
}

impl Span {
    /// Text of this look.
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
            link: None,
        }
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.text.width()
    }
}

/// One line. It may be longer than the screen is wide: then the terminal wraps it, and puts it
/// together again when somebody copies it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its pieces, from left to right.
    pub spans: Vec<Span>,
}

impl Line {
    /// A line of one look.
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self {
            spans: vec![Span::new(text, style)],
        }
    }

    /// A line in the terminal's default look.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Style::PLAIN)
    }

    /// The same line with one more piece.
    #[must_use]
    pub fn with(mut self, text: impl Into<String>, style: Style) -> Self {
        self.spans.push(Span::new(text, style));
        self
    }

    /// Adds text that looks and leads like `like`.
    pub(crate) fn append(&mut self, text: &str, like: &Span) {
        match self.spans.last_mut() {
            Some(last) if last.style == like.style && last.link == like.link => {
                last.text.push_str(text);
            }
            _ => self.spans.push(Span {
                text: text.to_owned(),
                style: like.style,
                link: like.link.clone(),
            }),
        }
    }

    /// Drops the blanks at its end.
    pub(crate) fn trim_end(&mut self) {
        while let Some(last) = self.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.spans.pop();
        }
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// The line as far as it fits into so many columns; a cut is marked.
    #[must_use]
    pub fn clipped(mut self, width: usize) -> Self {
        if self.width() <= width {
            return self;
        }
        let mut room = width;
        self.spans.retain_mut(|span| {
            let fits = span.width();
            if room == 0 {
                return false;
            }
            if fits >= room {
                // Something follows, or this is too long: the mark must be there either way.
                span.text = clip(&format!("{}…", span.text), room);
            }
            room = room.saturating_sub(fits);
            true
        });
        self
    }

    /// The text without its looks.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// Text from outside as one line: nothing in it acts on a terminal, and breaks and tabs are blanks.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
}

/// Text with blanks in place of its tabs.
pub(crate) fn untabbed(text: &str) -> String {
    text.replace('\t', "    ")
}

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Self {
        Self::plain(text)
    }
}
