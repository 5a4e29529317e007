//! How a stretch of text looks.

use std::sync::Arc;

use pollux_types::untrusted::visible;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream};

use crate::line::{Line, Span};
use crate::screen::Looks;
use crate::style::{Color, Style};

use super::{BREAK, SPACER};

/// The spans of a stretch. Their text may hold [`BREAK`]s.
pub(super) fn spans(stretch: &str, style: Style, looks: Looks) -> Vec<Span> {
    let text = stretch.trim_end();
    let mut render = Render {
        looks,
        style,
        styles: Vec::new(),
        link: None,
        line: Line::default(),
    };
    if text.contains(['*', '_', '~', '`', '[', '<', '&', '\\']) {
        render.marked(text);
    } else {
        render.text(text);
    }
    render.append(&stretch[text.len()..], style);
    render.line.spans
}

struct Render {
    looks: Looks,
    style: Style,
    /// The looks to go back to.
    styles: Vec<Style>,
    link: Option<Link>,
    line: Line,
}

/// A link that is being read.
struct Link {
    address: String,
    text: String,
    /// Whether the address has to be told because the text is something else.
    is_named: bool,
}

impl Render {
    /// Text with marks in it.
    fn marked(&mut self, text: &str) {
        // Behind a word nothing is taken for a list, a heading or the like.
        const WORD: &str = ". ";
        let source = format!("{WORD}{text}");
        let parser = Parser::new_ext(&source, Options::ENABLE_STRIKETHROUGH);
        let mut skipped = WORD.len();
        for event in TextMergeStream::new(parser) {
            match event {
                Event::Start(tag) => self.start(tag),
                Event::End(tag) => self.end(tag),
                Event::Text(text) => {
                    let skip = skipped.min(text.len());
                    skipped -= skip;
                    self.text(&text[skip..]);
                }
                Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
                Event::Code(code) => self.code(&code),
                _ => {}
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let style = self.style;
        self.styles.push(style);
        match tag {
            Tag::Emphasis => self.style.italic = true,
            Tag::Strong => self.style.bold = true,
            Tag::Strikethrough => self.style.strike = true,
            Tag::Link {
                dest_url,
                link_type,
                ..
            } => {
                self.link = Some(Link {
                    address: visible(&dest_url).into_owned(),
                    text: String::new(),
                    is_named: !matches!(link_type, LinkType::Autolink | LinkType::Email),
                });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if let Some(style) = self.styles.pop() {
            self.style = style;
        }
        if tag == TagEnd::Link
            && let Some(link) = self.link.take()
            && link.is_named
            && link.text != link.address
        {
            let target = self.target(&link.address);
            self.append(" (", self.style);
            self.append_link(&link.address, self.style, target);
            self.append(")", self.style);
        }
    }

    /// Code keeps its marks where no colour tells it from the rest.
    fn code(&mut self, code: &str) {
        if self.looks.color {
            let style = Style {
                color: Some(Color::MAGENTA),
                ..self.style
            };
            self.linked(code, style);
        } else {
            self.linked(&format!("`{code}`"), self.style);
        }
    }

    /// Text in which addresses are links.
    fn text(&mut self, text: &str) {
        if self.link.is_some() {
            return self.linked(text, self.style);
        }
        let mut rest = text;
        while let Some((before, address, after)) = split_at_address(rest) {
            self.append(before, self.style);
            let target = self.target(address);
            self.append_link(address, self.style, target);
            rest = after;
        }
        self.append(rest, self.style);
    }

    /// Text that leads where the link leads that it is part of.
    fn linked(&mut self, text: &str, style: Style) {
        let target = self.link.as_mut().map(|link| {
            link.text.push_str(text);
            link.address.clone()
        });
        let target = target.and_then(|address| self.target(&address));
        self.append_link(text, style, target);
    }

    fn append(&mut self, text: &str, style: Style) {
        self.append_link(text, style, None);
    }

    fn append_link(&mut self, text: &str, style: Style, link: Option<Arc<str>>) {
        let like = Span {
            text: String::new(),
            style,
            link,
        };
        // Character references may stand for anything.
        for (index, part) in text.split([BREAK, '\n']).enumerate() {
            if index > 0 {
                self.line.append(BREAK.encode_utf8(&mut [0; 4]), &like);
            }
            let part = part.replace('\t', " ").replace(SPACER, "");
            if !part.is_empty() {
                self.line.append(&visible(&part), &like);
            }
        }
    }

    /// Where a click leads: to the web or into the mail program, and nowhere else.
    fn target(&self, address: &str) -> Option<Arc<str>> {
        let is_known = ["https://", "http://", "mailto:"]
            .iter()
            .any(|scheme| address.starts_with(scheme));
        let is_plain = !address.contains(|c: char| c.is_whitespace() || c == '\\');
        (self.looks.links && is_known && is_plain).then(|| address.into())
    }
}

/// The first address that stands in a text by itself, and what stands before and after it.
fn split_at_address(text: &str) -> Option<(&str, &str, &str)> {
    let start = match (text.find("https://"), text.find("http://")) {
        (Some(one), Some(other)) => one.min(other),
        (one, other) => one.or(other)?,
    };
    let rest = &text[start..];
    let mut depth = 0_usize;
    let end = rest.find(|c: char| match c {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth > 0 => {
            depth -= 1;
            false
        }
        _ => c.is_whitespace() || "<>\"`)".contains(c),
    });
    let address = &rest[..end.unwrap_or(rest.len())];
    let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', ']', '*']);
    Some((&text[..start], address, &rest[address.len()..]))
}
