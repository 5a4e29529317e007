//! Words behind an `@`, and how spaces are written in them: `@a\ b` or `@"a b"`.

use super::Word;

/// What ends a sentence and not a path, unless a backslash says otherwise.
const PUNCTUATION: [char; 13] = [
    '.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '"', '\'', '`',
];

/// What an `@` may follow. Behind anything else it is a part of a word, as in an address.
const BEFORE: [char; 4] = ['(', '[', '{', ','];

/// The mention that the cursor is in.
pub(super) fn word(text: &str, cursor: usize) -> Option<Word> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..cursor)?.find('@')?;
        let start = at + 1;
        if !may_follow(&text[..at]) {
            from = start;
            continue;
        }
        let end = start + extent(&text[start..]);
        if cursor <= end {
            let bare = start + bare(&text[start..end]).len();
            let end = if cursor <= bare { bare } else { end };
            return Some(Word {
                text: meaning(&text[start..end]),
                replaces: at..end,
            });
        }
        from = end;
    }
}

fn may_follow(before: &str) -> bool {
    let last = before.chars().next_back();
    last.is_none_or(|c| c.is_whitespace() || BEFORE.contains(&c))
}

/// How many bytes of `text` are the word that it begins with.
pub(super) fn extent(text: &str) -> usize {
    if let Some(quoted) = text.strip_prefix('"') {
        let inside = quoted.find(['"', '\n']).unwrap_or(quoted.len());
        let closed = quoted[inside..].starts_with('"');
        return 1 + inside + usize::from(closed);
    }
    let mut escaped = false;
    let end = text.find(|c: char| {
        let ends = c == '\n' || (c.is_whitespace() && !escaped);
        escaped = c == '\\' && !escaped;
        ends
    });
    end.unwrap_or(text.len())
}

/// What such a word means.
pub(crate) fn meaning(word: &str) -> String {
    if let Some(quoted) = word.strip_prefix('"') {
        return quoted.strip_suffix('"').unwrap_or(quoted).to_owned();
    }
    let mut meaning = String::with_capacity(word.len());
    let mut chars = word.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => meaning.push(chars.next().unwrap_or('\\')),
            c => meaning.push(c),
        }
    }
    meaning
}

/// The word without the punctuation of the sentence that it ends.
fn bare(word: &str) -> &str {
    let bare = word.trim_end_matches(PUNCTUATION);
    if word.starts_with('"') || bare.ends_with('\\') {
        word
    } else {
        bare
    }
}

/// A word that means this.
pub(super) fn escaped(meaning: &str) -> String {
    let mut word = String::with_capacity(meaning.len());
    for c in meaning.chars() {
        if c.is_whitespace() || c == '\\' || c == '"' {
            word.push('\\');
        }
        word.push(c);
    }
    word
}
