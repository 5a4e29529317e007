//! What a server has: names of it, and what is in it.

use std::fmt::Write as _;

/// Bytes of one resource that are shown.
const SHOWN_BYTES: usize = 100_000;
/// Characters of what a server says about something.
const TOLD: usize = 200;
/// The longest address that is listed: nobody types more.
const LONGEST_URI: usize = 1000;

/// Something that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its address, as the server has it.
    pub uri: String,
    /// What it is called, and what it is, in a line.
    pub about: String,
}

impl Resource {
    /// `None` for an address that nobody could type.
    pub(super) fn new(uri: String, name: &str, description: Option<&str>) -> Option<Self> {
        let odd = |c: char| c.is_control() || pollux_types::untrusted::is_invisible(c);
        if uri.is_empty() || uri.len() > LONGEST_URI || uri.contains(odd) {
            return None;
        }
        let description = description.filter(|text| !text.trim().is_empty());
        let about = match description {
            Some(description) => format!("{name}: {description}"),
            None => name.to_owned(),
        };
        let about = in_a_line(&about);
        Some(Self { uri, about })
    }
}

/// One part of what is in a resource.
pub(super) enum Piece {
    Text(String),
    /// Something that is no text, of this type and about so many bytes.
    Blob {
        kind: Option<String>,
        bytes: usize,
    },
}

/// All of them, as far as they fit.
pub(super) fn shown(pieces: &[Piece]) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    for piece in pieces {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        match piece {
            Piece::Text(piece) => {
                let room = SHOWN_BYTES.saturating_sub(text.len());
                let fits = piece.floor_char_boundary(room);
                text.push_str(&piece[..fits]);
                left_out += piece.len() - fits;
            }
            Piece::Blob { kind, bytes } => {
                let kind = in_a_line(kind.as_deref().unwrap_or("of an unknown type"));
                writeln!(text, "[{bytes} bytes, {kind}: no text, so not shown]")
                    .expect("a String takes any text");
            }
        }
    }
    if pieces.is_empty() {
        text.push_str("[nothing is in it]");
    }
    if left_out > 0 {
        write!(text, "\n[{left_out} bytes are left out]").expect("a String takes any text");
    }
    text
}

/// What somebody else says, in a line that is not too long.
pub(super) fn in_a_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}..", &line[..end]),
        None => line,
    }
}
