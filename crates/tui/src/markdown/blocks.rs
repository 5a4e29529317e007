//! What a text is made of: paragraphs.

use crate::line::Line;
use crate::style::Style;
use crate::wrap::Indent;

use super::Looks;
use super::paragraph::Paragraph;

/// The block that is open, and how the next line is to be read.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    looks: Looks,
    paragraph: Option<Paragraph>,
    /// Whether a line of the paragraph has begun and not ended.
    is_in_line: bool,
    /// Whether a blank line stands before what comes next.
    gap: bool,
    /// Whether there is anything above.
    begun: bool,
}

impl Blocks {
    pub(super) fn new(looks: Looks) -> Self {
        Self {
            looks,
            paragraph: None,
            is_in_line: false,
            gap: false,
            begun: false,
        }
    }

    /// Takes as much of `text` as can be read now, and says how much; 0 if it takes more to know
    /// what it is. At the end there is no more.
    pub(super) fn take(
        &mut self,
        text: &str,
        is_end: bool,
        width: usize,
        lines: &mut Vec<Line>,
    ) -> usize {
        let newline = text.find('\n');
        let line = &text[..newline.unwrap_or(text.len())];
        if !self.is_in_line {
            if line.trim().is_empty() {
                if newline.is_none() && !is_end {
                    return 0;
                }
                self.end(width, lines);
                self.gap = self.begun;
                return text.len().min(line.len() + 1);
            }
            self.open(lines);
            self.is_in_line = true;
        }
        if let Some(paragraph) = &mut self.paragraph {
            paragraph.push(line, width, lines);
            if newline.is_some() {
                paragraph.end_line(width, lines);
                self.is_in_line = false;
            }
        }
        text.len().min(line.len() + 1)
    }

    /// Ends what is open.
    pub(super) fn end(&mut self, width: usize, lines: &mut Vec<Line>) {
        if let Some(mut paragraph) = self.paragraph.take() {
            paragraph.end(width, lines);
        }
        self.is_in_line = false;
    }

    fn open(&mut self, lines: &mut Vec<Line>) {
        if self.paragraph.is_none() {
            if std::mem::take(&mut self.gap) {
                lines.push(Line::default());
            }
            self.begun = true;
            let paragraph = Paragraph::new(Indent::default(), Style::PLAIN, self.looks);
            self.paragraph = Some(paragraph);
        }
    }
}
