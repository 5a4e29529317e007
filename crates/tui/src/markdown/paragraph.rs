//! Running text: from words to rows.

use crate::line::Span;
use crate::screen::Looks;
use crate::style::Style;
use crate::wrap::{Indent, Wrapper};

use super::inline::{BREAK, Inline};
use super::page::Page;

/// A paragraph that is still being written. Its line breaks are kept.
#[derive(Clone, Debug)]
pub(super) struct Paragraph {
    inline: Inline,
    wrapper: Wrapper,
    /// Whether a line has ended that the next one may go on from.
    line_ended: bool,
}

impl Paragraph {
    pub(super) fn new(indent: Indent, style: Style, looks: Looks) -> Self {
        Self {
            inline: Inline::new(style, looks),
            wrapper: Wrapper::new(indent),
            line_ended: false,
        }
    }

    /// Takes a part of a line, without its line break.
    pub(super) fn push(&mut self, text: &str, page: &mut Page) {
        if std::mem::take(&mut self.line_ended) {
            self.inline.push(BREAK);
        }
        for c in text.chars() {
            self.inline.push(if c == '\t' { ' ' } else { c });
            if self.inline.is_settled() {
                self.settle(page);
            }
        }
    }

    /// Ends a line. Its last row is settled unless something goes on in the next line.
    pub(super) fn end_line(&mut self, page: &mut Page) {
        if self.inline.ends_here() {
            self.end(page);
        } else {
            self.line_ended = true;
        }
    }

    /// Ends the paragraph.
    pub(super) fn end(&mut self, page: &mut Page) {
        self.settle(page);
        if !self.wrapper.is_empty() {
            self.wrapper.end(page.width, &mut page.lines);
        }
        self.line_ended = false;
    }

    /// Lays out what is settled of the line, or has to be.
    fn settle(&mut self, page: &mut Page) {
        for span in self.inline.take() {
            for (index, text) in span.text.split(BREAK).enumerate() {
                if index > 0 {
                    self.wrapper.end(page.width, &mut page.lines);
                }
                let part = Span {
                    text: text.to_owned(),
                    style: span.style,
                    link: span.link.clone(),
                };
                self.wrapper.push(&part, page.width, &mut page.lines);
            }
        }
    }
}
