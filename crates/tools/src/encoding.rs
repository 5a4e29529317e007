//! How a file spells its text: UTF-8, or UTF-16 where a byte-order mark says so.
//!
//! Bytes of a UTF-8 file are never judged here: a file with a few foreign bytes is still text,
//! and whoever edits it keeps them.

use std::borrow::Cow;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// How much of a file decides whether it is text.
pub(crate) const SNIFFED: usize = 8 * 1024;

/// The encoding of a text file, mark included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf8Marked,
    Utf16Little,
    Utf16Big,
}

impl Encoding {
    /// The encoding of a file that starts with `start`; `None` if it is no text.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        let text = !start[..start.len().min(SNIFFED)].contains(&0);
        match start {
            // The mark of UTF-32, which nobody uses and whose zeroes UTF-16 would swallow.
            [0xff, 0xfe, 0, 0, ..] => None,
            [0xff, 0xfe, ..] => Some(Self::Utf16Little),
            [0xfe, 0xff, ..] => Some(Self::Utf16Big),
            [0xef, 0xbb, 0xbf, ..] => text.then_some(Self::Utf8Marked),
            _ => text.then_some(Self::Utf8),
        }
    }

    /// The text of a whole file in UTF-8 without the mark.
    pub(crate) fn decode(self, file: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Self::Utf8 => Cow::Borrowed(file),
            Self::Utf8Marked => Cow::Borrowed(file.strip_prefix(UTF8_MARK).unwrap_or(file)),
            Self::Utf16Little => Cow::Owned(from_utf16(file, u16::from_le_bytes)),
            Self::Utf16Big => Cow::Owned(from_utf16(file, u16::from_be_bytes)),
        }
    }

    /// The whole file for `text` in UTF-8. What is not UTF-8 gets lost in UTF-16 only.
    pub(crate) fn encode(self, text: Cow<'_, [u8]>) -> Vec<u8> {
        match self {
            Self::Utf8 => text.into_owned(),
            Self::Utf8Marked => [UTF8_MARK, &text].concat(),
            Self::Utf16Little => to_utf16(&text, u16::to_le_bytes),
            Self::Utf16Big => to_utf16(&text, u16::to_be_bytes),
        }
    }
}

fn from_utf16(file: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let pairs = file.chunks(2).skip(1);
    // Half a unit at the end can only be shown as damage.
    let units = pairs.map(|pair| <[u8; 2]>::try_from(pair).map_or(0xdc00, unit));
    let chars = char::decode_utf16(units);
    let text: String = chars
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    text.into_bytes()
}

fn to_utf16(text: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_comes_back_as_it_was() {
        let little = b"\xff\xfea\0\xe9\0\x3d\xd8\x00\xde".as_slice();
        let big = b"\xfe\xff\0a\0\xe9\xd8\x3d\xde\x00".as_slice();
        let utf8 = "aé😀".as_bytes();
        let marked = [UTF8_MARK, utf8].concat();
        for file in [little, big, utf8, &marked] {
            let encoding = Encoding::of(file).unwrap();
            let text = encoding.decode(file);
            assert_eq!(text, utf8, "{encoding:?}");
            assert_eq!(encoding.encode(text), file, "{encoding:?}");
        }
    }

    #[test]
    fn a_zero_byte_is_not_text() {
        assert_eq!(Encoding::of(b"\x7fELF\0"), None);
        assert_eq!(Encoding::of(b"\xff\xfe\0\0a\0\0\0"), None);
        assert_eq!(Encoding::of(b""), Some(Encoding::Utf8));
        let late = [b"x".repeat(SNIFFED), vec![0]].concat();
        assert_eq!(Encoding::of(&late), Some(Encoding::Utf8));
    }

    #[test]
    fn half_a_unit_is_damage() {
        let text = Encoding::Utf16Little.decode(b"\xff\xfea\0b");
        assert_eq!(text, "a\u{fffd}".as_bytes());
    }
}
