//! What is not code in the narrower sense: documents, differences, and what stood on a terminal.

use super::code::{self, Open};
use super::{Look, Piece, languages};

/// What a command begins with on a terminal.
const PROMPTS: [&str; 3] = ["$ ", "% ", "> "];

/// A line of a terminal: a command after its prompt, or what one printed.
pub(super) fn console(line: &str) -> Vec<Piece<'_>> {
    let Some(prompt) = PROMPTS.iter().find(|prompt| line.starts_with(**prompt)) else {
        return vec![(line, Look::Plain)];
    };
    let (prompt, command) = line.split_at(prompt.len());
    let mut pieces = vec![(prompt, Look::Comment)];
    pieces.extend(code::pieces(
        &languages::SHELL_CODE,
        &mut Open::Nothing,
        command,
    ));
    pieces
}

/// A line of a diff.
pub(super) fn diff(line: &str) -> Vec<Piece<'_>> {
    const HEADS: [&str; 5] = ["diff ", "index ", "--- ", "+++ ", "Index: "];
    let look = if HEADS.iter().any(|head| line.starts_with(head)) {
        Look::Heading
    } else {
        match line.as_bytes().first() {
            Some(b'+' | b'>') => Look::Added,
            Some(b'-' | b'<') => Look::Removed,
            Some(b'@') => Look::Constant,
            _ => Look::Plain,
        }
    };
    vec![(line, look)]
}

/// A line of Markdown: headings, and code among the words.
pub(super) fn prose<'t>(open: &mut Open, line: &'t str) -> Vec<Piece<'t>> {
    const FENCE: &str = "```";
    let is_fence = line.trim_start().starts_with(FENCE);
    match (open.clone(), is_fence) {
        (Open::Text(..), true) => *open = Open::Nothing,
        (Open::Text(..), false) => return vec![(line, Look::Text)],
        (_, true) => *open = Open::Text(FENCE, false),
        (_, false) if line.starts_with('#') => return vec![(line, Look::Heading)],
        (_, false) if line.starts_with('>') => return vec![(line, Look::Comment)],
        (_, false) => return code_spans(line),
    }
    vec![(line, Look::Comment)]
}

fn code_spans(line: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(from) = rest.find('`') {
        let Some(length) = rest[from + 1..].find('`') else {
            break;
        };
        let (before, span) = rest.split_at(from);
        let (span, after) = span.split_at(length + 2);
        pieces.extend([(before, Look::Plain), (span, Look::Text)]);
        rest = after;
    }
    pieces.push((rest, Look::Plain));
    pieces
}

/// A line of HTML, XML and the like.
pub(super) fn tags<'t>(open: &mut Open, line: &'t str) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (length, look) = match open {
            Open::Comment(_) => {
                let end = rest.find("-->").map(|at| at + 3);
                if end.is_some() {
                    *open = Open::Nothing;
                }
                (end.unwrap_or(rest.len()), Look::Comment)
            }
            Open::Tag => in_tag(open, rest),
            _ if rest.starts_with("<!--") => {
                *open = Open::Comment(1);
                continue;
            }
            _ if is_tag(rest) => {
                *open = Open::Tag;
                let name = rest.find([' ', '\t', '>']).unwrap_or(rest.len());
                (name, Look::Name)
            }
            _ => {
                let next = rest.match_indices('<').find(|(at, _)| *at > 0);
                (next.map_or(rest.len(), |(at, _)| at), Look::Plain)
            }
        };
        let (piece, after) = rest.split_at(length);
        pieces.push((piece, look));
        rest = after;
    }
    pieces
}

fn is_tag(rest: &str) -> bool {
    let name = rest.strip_prefix('<');
    name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || "/!?".contains(c)))
}

/// How long the next piece inside a tag is, and what it is.
fn in_tag(open: &mut Open, rest: &str) -> (usize, Look) {
    match rest.as_bytes()[0] {
        b'>' => {
            *open = Open::Nothing;
            (1, Look::Name)
        }
        mark @ (b'"' | b'\'') => {
            let end = rest[1..].find(char::from(mark)).map(|at| at + 2);
            (end.unwrap_or(rest.len()), Look::Text)
        }
        _ => {
            let end = rest.find(['>', '"', '\'']);
            (end.unwrap_or(rest.len()), Look::Plain)
        }
    }
}
