//! Commands: `/name` at the beginning of the input, and the words behind it.

use super::{Wanted, Word, mention};

/// What is wanted in a command; nothing if the input is none. A second slash in the first word
/// makes it a path, or a comment.
pub(super) fn wanted(text: &str, cursor: usize) -> Option<Wanted> {
    let rest = text.strip_prefix('/')?;
    let name = rest.split(char::is_whitespace).next()?;
    if name.contains('/') {
        return None;
    }
    let end = 1 + name.len();
    if cursor <= end {
        return Some(Wanted::Command(Word {
            text: name.to_owned(),
            replaces: 0..end,
        }));
    }
    let (before, word) = argument(text, end, cursor);
    Some(Wanted::Argument {
        command: name.to_owned(),
        before,
        word,
    })
}

/// The word that the cursor is in or could begin, and those between it and `from`.
fn argument(text: &str, from: usize, cursor: usize) -> (Vec<String>, Word) {
    let mut before = Vec::new();
    let mut at = from;
    loop {
        let rest = &text[at..];
        let start = text.len() - rest.trim_start().len();
        if cursor < start || start == text.len() {
            let nothing = Word {
                text: String::new(),
                replaces: cursor..cursor,
            };
            return (before, nothing);
        }
        let end = start + mention::extent(&text[start..]);
        let meaning = mention::meaning(&text[start..end]);
        if cursor <= end {
            let word = Word {
                text: meaning,
                replaces: start..end,
            };
            return (before, word);
        }
        before.push(meaning);
        at = end;
    }
}
