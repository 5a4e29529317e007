//! Cutting what was written into sequences, and looking at each.

/// The sequences and the pieces of text that `bytes` consist of.
///
/// Panics on everything that the screen has no business to write: it moves the cursor within the
/// live area, erases to the right and below, and changes looks, and that is all.
pub(super) fn tokens(bytes: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (token, tail) = rest.split_at(length(rest));
        assert!(is_harmless(token), "{token:?} was written");
        tokens.push(token);
        rest = tail;
    }
    tokens
}

fn length(text: &str) -> usize {
    let end = if let Some(sequence) = text.strip_prefix("\x1b[") {
        let last = sequence.find(|c: char| ('@'..='~').contains(&c));
        last.map(|last| "\x1b[".len() + last + 1)
    } else if text.starts_with("\x1b]") {
        text.find("\x1b\\").map(|end| end + 2)
    } else if text.starts_with(char::is_control) {
        Some(1)
    } else {
        text.find(char::is_control)
    };
    end.unwrap_or(text.len())
}

fn is_harmless(token: &str) -> bool {
    if let Some(sequence) = token.strip_prefix("\x1b[") {
        let (parameters, last) = sequence.split_at(sequence.len() - 1);
        let is_number = parameters.bytes().all(|b| b.is_ascii_digit());
        return match last {
            "A" | "B" | "C" | "G" | "X" => is_number,
            "J" | "K" => parameters.is_empty(),
            "m" => parameters.bytes().all(|b| b.is_ascii_digit() || b == b';'),
            "h" | "l" => matches!(parameters, "?25" | "?2026"),
            _ => false,
        };
    }
    if let Some(link) = token.strip_prefix("\x1b]8;;") {
        return link
            .strip_suffix("\x1b\\")
            .is_some_and(|to| !to.contains(char::is_control));
    }
    matches!(token, "\r" | "\n" | "\x08") || !token.contains(char::is_control)
}
