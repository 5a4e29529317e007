//! What a text is made of: paragraphs, code, tables, in quotes and lists.

use crate::line::{Line, Span};
use crate::screen::Looks;
use crate::style::Style;
use crate::wrap::Indent;

use super::code::Code;
use super::page::Page;
use super::paragraph::Paragraph;
use super::reading::{self, Container, HEAD, Kind, Reading, Tip};
use super::table::{self, Table};

/// The longest line that has to be whole before it is read, in bytes. One that is longer is text;
/// in code, it is cut.
const LONGEST: usize = 8_192;

/// How wide a rule is at most.
const RULE: usize = 40;

/// What is open, and how the next line is to be read.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    looks: Looks,
    containers: Vec<Container>,
    leaf: Leaf,
    place: Place,
    /// The blank line before what comes next.
    gap: Option<Line>,
    /// Whether there is anything above.
    begun: bool,
}

/// The block that is open.
#[derive(Clone, Debug)]
enum Leaf {
    Nothing,
    Paragraph(Box<Paragraph>),
    /// A line that is the head of a table if the next one says so, and else goes on with the
    /// paragraph above it.
    Header(String, Option<Box<Paragraph>>),
    Table(Table),
    Code(Box<Code>),
}

/// Where the text that comes next stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    LineBegin,
    InText,
    InCode,
}

impl Blocks {
    pub(super) fn new(looks: Looks) -> Self {
        Self {
            looks,
            containers: Vec::new(),
            leaf: Leaf::Nothing,
            place: Place::LineBegin,
            gap: None,
            begun: false,
        }
    }

    /// Takes as much of `text` as can be read now, and says how much; nothing if it takes more to
    /// know what it is. At the end there is no more.
    pub(super) fn take(&mut self, text: &str, is_end: bool, page: &mut Page) -> Option<usize> {
        let seen = match self.place {
            Place::InText => text,
            Place::LineBegin | Place::InCode => &text[..text.floor_char_boundary(LONGEST + 1)],
        };
        let newline = seen.find('\n');
        let whole = newline.or_else(|| is_end.then_some(text.len()));
        let whole = whole.filter(|length| *length <= LONGEST);
        if whole.is_none() && self.place != Place::InText && text.len() < HEAD {
            return None;
        }
        match self.place {
            Place::LineBegin => self.take_line(text, whole, page),
            Place::InText => {
                let part = &text[..newline.unwrap_or(text.len())];
                self.text(part, newline.is_some(), page);
                Some(text.len().min(part.len() + 1))
            }
            Place::InCode => {
                if whole.is_none() && text.len() <= LONGEST {
                    return None;
                }
                let part = &text[..whole.unwrap_or(text.floor_char_boundary(LONGEST))];
                self.code(part, page);
                if whole.is_none() {
                    return Some(part.len());
                }
                self.place = Place::LineBegin;
                Some(text.len().min(part.len() + 1))
            }
        }
    }

    /// Ends everything that is open.
    pub(super) fn end(&mut self, page: &mut Page) {
        self.place = Place::LineBegin;
        self.close(0, page);
    }

    /// Reads a line from its begin. If it is running text, the rest of it is taken as it comes.
    fn take_line(&mut self, text: &str, whole: Option<usize>, page: &mut Page) -> Option<usize> {
        // With less behind its marks than this, a line may still become anything.
        const ENOUGH: usize = 16;
        let mut line = reading::head(&text[..whole.unwrap_or(text.len())]);
        let mut reading = self.read(line);
        let is_text = matches!(reading.kind, Kind::Text) && reading.rest.len() >= ENOUGH;
        if !is_text {
            if let Some(length) = whole {
                line = &text[..length];
                reading = self.read(line);
            } else if text.len() <= LONGEST {
                return None;
            }
        }
        let offset = line.len() - reading.rest.len();
        match reading.kind {
            Kind::Code(_) if whole.is_none() => {
                self.begin_code(&reading, page);
                self.place = Place::InCode;
                return Some(offset);
            }
            Kind::Text => {}
            _ if whole.is_none() => {}
            _ => {
                self.whole_line(reading, page);
                return Some(text.len().min(line.len() + 1));
            }
        }
        self.begin_text(reading, page);
        self.place = Place::InText;
        Some(offset)
    }

    fn read<'a>(&self, line: &'a str) -> Reading<'a> {
        let tip = match &self.leaf {
            Leaf::Paragraph(_) | Leaf::Header(..) => Tip::Paragraph,
            Leaf::Code(code) => code.fence.as_ref().map_or(Tip::Nothing, Tip::Code),
            Leaf::Nothing | Leaf::Table(_) => Tip::Nothing,
        };
        reading::read(line, &self.containers, tip)
    }

    fn whole_line(&mut self, reading: Reading<'_>, page: &mut Page) {
        match reading.kind {
            Kind::Blank if reading.opened.is_empty() => {
                self.close(reading.matched, page);
                let mut blank = prefix(&self.containers);
                blank.trim_end();
                self.gap = self.begun.then_some(blank);
            }
            Kind::Blank => self.enter(reading, page),
            Kind::FenceBegin(ref fence) => {
                let fence = fence.clone();
                self.enter(reading, page);
                self.put(&Line::new(&fence.opening, Style::DIM), page);
                self.leaf = Leaf::Code(Box::new(Code::fenced(fence, self.looks)));
            }
            Kind::FenceEnd => {
                if let Leaf::Code(code) = std::mem::replace(&mut self.leaf, Leaf::Nothing)
                    && let Some(fence) = &code.fence
                {
                    self.put(&Line::new(fence.closing(), Style::DIM), page);
                }
            }
            Kind::Code(text) => {
                self.begin_code(&reading, page);
                self.code(text, page);
            }
            Kind::Heading(level, title) => {
                self.enter(reading, page);
                let style = Style {
                    underline: level == 1,
                    ..Style::BOLD
                };
                let mut heading = Paragraph::new(self.indent(), style, self.looks);
                heading.push(title, page);
                heading.end(page);
            }
            Kind::Rule => {
                self.enter(reading, page);
                let indent = prefix(&self.containers).width();
                let width = page.width.saturating_sub(indent).clamp(1, RULE);
                self.put(&Line::new("─".repeat(width), Style::DIM), page);
            }
            Kind::Pipes(row) => self.pipes(row, reading, page),
            Kind::Text => {}
        }
    }

    /// A line with bars in it: part of a table, or perhaps the first line of one.
    fn pipes(&mut self, row: &str, reading: Reading<'_>, page: &mut Page) {
        let goes_on = reading.matched == self.containers.len() && reading.opened.is_empty();
        if goes_on && let Leaf::Table(table) = &mut self.leaf {
            return table.push(row, page);
        }
        if goes_on
            && let Leaf::Header(header, paragraph) = &mut self.leaf
            && let Some(columns) = table::delimiters(row, header)
        {
            let header = std::mem::take(header);
            if let Some(mut paragraph) = paragraph.take() {
                paragraph.end(page);
            }
            let indent = self.indent();
            self.leaf = Leaf::Table(Table::new(&header, columns, indent, self.looks));
            return;
        }
        let row = row.to_owned();
        let paragraph = if row.starts_with('|') && reading.matched < self.containers.len() {
            // What looks like this is no longer part of the list above.
            self.enter(reading, page);
            None
        } else {
            self.paragraph(reading, page)
        };
        self.leaf = Leaf::Header(row, paragraph);
    }

    /// The paragraph that goes on with this line, if one does; otherwise everything is ready for a
    /// new one.
    fn paragraph(&mut self, reading: Reading<'_>, page: &mut Page) -> Option<Box<Paragraph>> {
        self.resolve_header(page);
        if reading.opened.is_empty() {
            match std::mem::replace(&mut self.leaf, Leaf::Nothing) {
                Leaf::Paragraph(paragraph) => return Some(paragraph),
                leaf => self.leaf = leaf,
            }
        }
        self.enter(reading, page);
        None
    }

    fn begin_text(&mut self, reading: Reading<'_>, page: &mut Page) {
        let paragraph = self.paragraph(reading, page);
        let paragraph = paragraph.unwrap_or_else(|| self.new_paragraph());
        self.leaf = Leaf::Paragraph(paragraph);
    }

    fn text(&mut self, part: &str, is_line_end: bool, page: &mut Page) {
        let Leaf::Paragraph(paragraph) = &mut self.leaf else {
            return;
        };
        paragraph.push(part, page);
        if is_line_end {
            paragraph.end_line(page);
            self.place = Place::LineBegin;
        }
    }

    /// Makes ready for a line of code, which may stand in a fence or just be indented.
    fn begin_code(&mut self, reading: &Reading<'_>, page: &mut Page) {
        let is_inside = reading.matched == self.containers.len() && reading.opened.is_empty();
        if is_inside && matches!(self.leaf, Leaf::Code(_)) {
            return;
        }
        let opened = reading.opened.clone();
        self.enter_containers(reading.matched, opened, page);
        self.leaf = Leaf::Code(Box::new(Code::indented()));
    }

    fn code(&mut self, text: &str, page: &mut Page) {
        if let Leaf::Code(code) = &mut self.leaf {
            let line = code.line(text);
            self.put(&line, page);
        }
    }

    /// What was perhaps the head of a table is none.
    fn resolve_header(&mut self, page: &mut Page) {
        if let Leaf::Header(line, paragraph) = &mut self.leaf {
            let line = std::mem::take(line);
            let paragraph = paragraph.take();
            let mut paragraph = paragraph.unwrap_or_else(|| self.new_paragraph());
            paragraph.push(&line, page);
            paragraph.end_line(page);
            self.leaf = Leaf::Paragraph(paragraph);
        }
    }

    fn new_paragraph(&mut self) -> Box<Paragraph> {
        let indent = self.indent();
        Box::new(Paragraph::new(indent, Style::PLAIN, self.looks))
    }

    fn enter(&mut self, reading: Reading<'_>, page: &mut Page) {
        self.enter_containers(reading.matched, reading.opened, page);
    }

    /// Ends what a line does not go on with, and makes ready for what begins with it.
    fn enter_containers(&mut self, matched: usize, opened: Vec<Container>, page: &mut Page) {
        self.close(matched, page);
        if let Some(gap) = self.gap.take() {
            page.lines.push(gap);
        }
        self.begun = true;
        self.containers.extend(opened);
    }

    /// Ends the open block, and all containers but the first `kept`.
    fn close(&mut self, kept: usize, page: &mut Page) {
        self.resolve_header(page);
        match std::mem::replace(&mut self.leaf, Leaf::Nothing) {
            Leaf::Paragraph(mut paragraph) => paragraph.end(page),
            Leaf::Table(mut table) => table.end(page),
            Leaf::Nothing | Leaf::Header(..) | Leaf::Code(_) => {}
        }
        let is_unseen = |container: &Container| match container {
            Container::Quote => false,
            Container::Item(item) => !item.is_shown,
        };
        if self.containers[kept..].iter().any(is_unseen) {
            let mut line = self.indent().first;
            line.trim_end();
            page.lines.push(line);
        }
        self.containers.truncate(kept);
    }

    /// What stands before the lines of the next block.
    fn indent(&mut self) -> Indent {
        let rest = prefix(&self.containers);
        let mut first = Line::default();
        for container in &mut self.containers {
            let mark = match container {
                Container::Item(item) if !item.is_shown => {
                    item.is_shown = true;
                    Span::new(item.marker.clone(), Style::PLAIN)
                }
                container => blank_mark(container),
            };
            first.append(&mark.text, &mark);
        }
        Indent { first, rest }
    }

    /// Adds a line that is not wrapped.
    fn put(&mut self, line: &Line, page: &mut Page) {
        let mut indented = self.indent().first;
        for span in &line.spans {
            indented.append(&span.text, span);
        }
        page.lines.push(indented);
    }
}

/// What stands before a line that is not the first of its containers.
fn prefix(containers: &[Container]) -> Line {
    let mut prefix = Line::default();
    for mark in containers.iter().map(blank_mark) {
        prefix.append(&mark.text, &mark);
    }
    prefix
}

fn blank_mark(container: &Container) -> Span {
    match container {
        Container::Quote => Span::new("│ ", Style::DIM),
        Container::Item(item) => Span::new(" ".repeat(item.marker.len()), Style::PLAIN),
    }
}
