//! The answer of a model, from Markdown to lines, while it is still being written.
//!
//! Everything is given out as soon as nothing that follows can change it, and only then: rows of a
//! paragraph as they fill, code line by line, a table when it ends. What is not settled yet is
//! bounded, so what a piece of text costs does not depend on how much came before it.
//!
//! To make that possible a few things mean less than they do on paper: a line break is a line
//! break, headings are not underlined with dashes, links name their address on the spot, and
//! emphasis ends within a few hundred bytes or is none.
//!
//! **Invariant:** the lines do not depend on how the text was cut.

mod blocks;
mod code;
mod inline;
mod page;
mod paragraph;
mod reading;
mod table;

use pollux_types::untrusted::visible;

use crate::line::Line;
use crate::screen::Looks;
use crate::wrap::fold;

use blocks::Blocks;
use page::Page;

/// Markdown that is still being written.
#[derive(Clone, Debug)]
pub struct Markdown {
    /// What no block has taken yet: less than a line.
    text: String,
    /// Whether the last character was a carriage return, which may be half of a line break.
    carriage: bool,
    blocks: Blocks,
}

impl Markdown {
    /// Nothing yet.
    pub fn new(looks: Looks) -> Self {
        Self {
            text: String::new(),
            carriage: false,
            blocks: Blocks::new(looks),
        }
    }

    /// Takes more text, as it came from outside.
    pub fn push(&mut self, text: &str) {
        let Some(first) = text.chars().next() else {
            return;
        };
        if std::mem::take(&mut self.carriage) && first != '\n' {
            self.text.push_str(&visible("\r"));
        }
        let text = text.strip_suffix('\r').map_or(text, |before| {
            self.carriage = true;
            before
        });
        if text.contains("\r\n") {
            self.text.push_str(&visible(&text.replace("\r\n", "\n")));
        } else {
            self.text.push_str(&visible(text));
        }
    }

    /// The lines that can no longer change and have not been given out yet.
    ///
    /// A line of code may be wider than the screen: wrapping it is left to the terminal.
    pub fn settle(&mut self, width: usize) -> Vec<Line> {
        let mut page = Page::new(width);
        self.advance(false, &mut page);
        page.lines
    }

    /// What stands below the settled lines for now. None of its rows is wider than the screen.
    pub fn tail(&self, width: usize) -> Vec<Line> {
        let lines = self.clone().finish(width);
        lines.iter().flat_map(|line| fold(line, width)).collect()
    }

    /// The rest, now that there is no more text.
    pub fn finish(&mut self, width: usize) -> Vec<Line> {
        let mut page = Page::new(width);
        if std::mem::take(&mut self.carriage) {
            self.text.push('\n');
        }
        self.advance(true, &mut page);
        self.blocks.end(&mut page);
        page.lines
    }

    fn advance(&mut self, is_end: bool, page: &mut Page) {
        let mut taken = 0;
        while taken < self.text.len()
            && let Some(more) = self.blocks.take(&self.text[taken..], is_end, page)
        {
            taken += more;
        }
        self.text.drain(..taken);
    }
}

#[cfg(test)]
mod tests;
