//! What a line is, by itself and in what is open around it.
//!
//! Pure functions on one line. They follow `CommonMark` where models do, and are more patient where
//! models are careless: about how far the parts of a list are indented.

/// How much of a line is enough to know that it is running text, in bytes.
pub(super) const HEAD: usize = 64;

/// How many quotes and lists can be in each other.
const DEEPEST: usize = 16;

/// What lines stand in.
#[derive(Clone, Debug)]
pub(super) enum Container {
    Quote,
    Item(Item),
}

/// A point of a list.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// What stands before its text, blank included.
    pub(super) marker: String,
    /// Whether that has been shown.
    pub(super) is_shown: bool,
    /// How many columns a line must be indented to belong to it.
    needed: usize,
    /// How many columns its lines are indented at most.
    indent: usize,
    /// Whether it can stand below a paragraph without a blank line.
    can_interrupt: bool,
}

/// The marks around a block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    mark: char,
    length: usize,
    /// How far it is indented.
    indent: usize,
    /// The line that opens it.
    pub(super) opening: String,
}

/// What is open and matters to the next line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tip<'a> {
    Nothing,
    Paragraph,
    Code(&'a Fence),
}

/// What a line is.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    /// How many of the containers go on.
    pub(super) matched: usize,
    /// The containers that begin with this line.
    pub(super) opened: Vec<Container>,
    /// What stands in them.
    pub(super) rest: &'a str,
    pub(super) kind: Kind<'a>,
}

/// What stands in the containers of a line.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    Blank,
    FenceBegin(Fence),
    FenceEnd,
    Code(&'a str),
    Heading(usize, &'a str),
    Rule,
    /// Perhaps a row of a table.
    Pipes(&'a str),
    Text,
}

/// Reads a line, or the [`HEAD`] of one.
pub(super) fn read<'a>(line: &'a str, containers: &[Container], tip: Tip<'_>) -> Reading<'a> {
    let mut cursor = Cursor { rest: line };
    let is_code = matches!(tip, Tip::Code(_));
    let matched = containers.iter().take_while(|c| cursor.enter(c, is_code));
    let matched = matched.count();
    let is_inside = matched == containers.len();
    if let Tip::Code(fence) = tip
        && is_inside
    {
        let kind = if fence.is_closed_by(cursor.rest) {
            Kind::FenceEnd
        } else {
            cursor.skip(fence.indent);
            Kind::Code(cursor.rest)
        };
        return Reading {
            matched,
            opened: Vec::new(),
            rest: cursor.rest,
            kind,
        };
    }
    let is_paragraph = is_inside && matches!(tip, Tip::Paragraph);
    let mut opened = Vec::new();
    let is_item = |container: &Container| matches!(container, Container::Item(_));
    let mut in_list = containers[..matched].iter().any(is_item);
    while matched + opened.len() < DEEPEST {
        let goes_on = is_paragraph && opened.is_empty();
        let Some(container) = cursor.open(in_list, goes_on) else {
            break;
        };
        in_list |= is_item(&container);
        opened.push(container);
    }
    let is_indented = cursor.indent() >= 4 && !in_list && !is_paragraph;
    let kind = if is_indented && !cursor.rest.trim().is_empty() {
        cursor.skip(4);
        Kind::Code(cursor.rest)
    } else {
        let indent = cursor.indent();
        cursor.rest = cursor.rest.trim_start();
        kind(cursor.rest, indent)
    };
    Reading {
        matched,
        opened,
        rest: cursor.rest,
        kind,
    }
}

/// The first [`HEAD`] bytes of a line.
pub(super) fn head(line: &str) -> &str {
    &line[..line.floor_char_boundary(HEAD)]
}

fn kind(text: &str, indent: usize) -> Kind<'_> {
    if text.is_empty() {
        Kind::Blank
    } else if let Some(fence) = Fence::read(text, indent) {
        Kind::FenceBegin(fence)
    } else if let Some((level, title)) = heading(text) {
        Kind::Heading(level, title)
    } else if is_rule(text) {
        Kind::Rule
    } else if text.contains('|') {
        Kind::Pipes(text)
    } else {
        Kind::Text
    }
}

impl Fence {
    fn read(text: &str, indent: usize) -> Option<Self> {
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        let is_fence = length >= 3 && !(mark == '`' && info.contains('`'));
        is_fence.then(|| Self {
            mark,
            length,
            indent,
            opening: text.trim_end().replace('\t', " "),
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }

    /// What stands behind the opening marks: the language, mostly.
    pub(super) fn info(&self) -> &str {
        self.opening.trim_start_matches(self.mark).trim()
    }

    /// The line that closes it.
    pub(super) fn closing(&self) -> String {
        self.mark.to_string().repeat(self.length)
    }
}

fn heading(text: &str) -> Option<(usize, &str)> {
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let is_heading =
        (1..=6).contains(&level) && !title.starts_with(|c: char| c != ' ' && c != '\t');
    let title = title.trim();
    let open = title.trim_end_matches('#');
    let title = if open.is_empty() || open.ends_with(' ') {
        open.trim_end()
    } else {
        title
    };
    is_heading.then_some((level, title))
}

fn is_rule(text: &str) -> bool {
    let Some(mark) = text.chars().next().filter(|c| "-*_".contains(*c)) else {
        return false;
    };
    let marks = text.chars().filter(|c| *c == mark).count();
    marks >= 3 && text.chars().all(|c| c == mark || c == ' ' || c == '\t')
}

/// What is left of a line.
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    /// How many columns the rest is indented.
    fn indent(&self) -> usize {
        let blanks = self.rest.chars().take_while(|c| matches!(c, ' ' | '\t'));
        blanks.map(columns).sum()
    }

    /// Skips up to this many columns of indent.
    fn skip(&mut self, mut most: usize) {
        while let Some(c @ (' ' | '\t')) = self.rest.chars().next()
            && most > 0
        {
            self.rest = &self.rest[1..];
            most = most.saturating_sub(columns(c));
        }
    }

    /// Goes into a container, if the line belongs to it. Lines of code belong to their item however
    /// they are indented.
    fn enter(&mut self, container: &Container, is_code: bool) -> bool {
        match container {
            Container::Quote => self.enter_quote(),
            Container::Item(item) => {
                let is_blank = self.rest.trim().is_empty();
                let belongs = is_code || is_blank || self.indent() >= item.needed;
                if belongs {
                    self.skip(item.indent);
                }
                belongs
            }
        }
    }

    fn enter_quote(&mut self) -> bool {
        if self.indent() >= 4 {
            return false;
        }
        let Some(rest) = self.rest.trim_start().strip_prefix('>') else {
            return false;
        };
        self.rest = rest;
        self.skip(1);
        true
    }

    /// The container that begins here. Not every one can where a paragraph may go on.
    fn open(&mut self, in_list: bool, is_paragraph: bool) -> Option<Container> {
        let indent = self.indent();
        if indent >= 4 && !in_list {
            return None;
        }
        if self.enter_quote() {
            return Some(Container::Quote);
        }
        let text = self.rest.trim_start();
        let (item, rest) = item(text, indent).filter(|_| !is_rule(text))?;
        if is_paragraph && !item.can_interrupt {
            return None;
        }
        self.rest = rest;
        Some(Container::Item(item))
    }
}

/// The point of a list that begins with `text`, and its text.
fn item(text: &str, indent: usize) -> Option<(Item, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &text[digits..];
    let (marker, first) = match after.chars().next()? {
        '.' | ')' if (1..=9).contains(&digits) => (&text[..=digits], &text[..digits] == "1"),
        '-' | '*' | '+' if digits == 0 => ("-", true),
        _ => return None,
    };
    let after = &after[1..];
    let mut cursor = Cursor { rest: after };
    let blanks = cursor.indent();
    if blanks == 0 && !after.is_empty() {
        return None;
    }
    let width = marker.len();
    let blanks = if (1..=4).contains(&blanks) { blanks } else { 1 };
    cursor.skip(blanks);
    let item = Item {
        marker: format!("{marker} "),
        is_shown: false,
        needed: indent + 2,
        indent: indent + width + blanks,
        can_interrupt: first && !after.trim().is_empty(),
    };
    Some((item, cursor.rest))
}

fn columns(blank: char) -> usize {
    if blank == '\t' { 4 } else { 1 }
}
