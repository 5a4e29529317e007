//! Keys as text, and keys as a terminal sends them.

/// What the program has asked of the keyboard.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Modes {
    /// Arrows and the like are sent in their other form.
    application_cursor: bool,
    /// A paste is marked as such.
    bracketed_paste: bool,
}

impl Modes {
    pub(super) fn of(screen: &vt100::Screen) -> Self {
        Self {
            application_cursor: screen.application_cursor(),
            bracketed_paste: screen.bracketed_paste(),
        }
    }
}

/// The bytes for keys in the notation of [`Terminal::keys`](super::Terminal::keys).
pub(super) fn encode(keys: &str, modes: Modes) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = keys;
    while let Some((plain, named)) = rest.split_once('<') {
        bytes.extend(plain.bytes());
        let Some((name, after)) = named.split_once('>') else {
            panic!("a key without its `>` in {keys:?}");
        };
        bytes.extend(key(name, modes));
        rest = after;
    }
    bytes.extend(rest.bytes());
    bytes
}

/// The bytes of a paste. Terminals send a new line as the enter key does.
pub(super) fn paste(text: &str, modes: Modes) -> Vec<u8> {
    let text = text.replace('\n', "\r");
    if modes.bracketed_paste {
        format!("\x1b[200~{text}\x1b[201~").into_bytes()
    } else {
        text.into_bytes()
    }
}

fn key(name: &str, modes: Modes) -> Vec<u8> {
    if let Some(text) = name.strip_prefix("paste:") {
        return paste(text, modes);
    }
    if let Some(key) = name.strip_prefix("a-") {
        return format!("\x1b{key}").into_bytes();
    }
    if let Some(letter) = name.strip_prefix("c-") {
        return vec![control(letter)];
    }
    let lead = if modes.application_cursor { 'O' } else { '[' };
    let cursor = |last: char| format!("\x1b{lead}{last}").into_bytes();
    match name {
        "up" => cursor('A'),
        "down" => cursor('B'),
        "right" => cursor('C'),
        "left" => cursor('D'),
        "home" => cursor('H'),
        "end" => cursor('F'),
        "pageup" => b"\x1b[5~".to_vec(),
        "pagedown" => b"\x1b[6~".to_vec(),
        "del" => b"\x1b[3~".to_vec(),
        "s-tab" => b"\x1b[Z".to_vec(),
        "enter" => b"\r".to_vec(),
        "esc" => b"\x1b".to_vec(),
        "tab" => b"\t".to_vec(),
        "bs" => b"\x7f".to_vec(),
        "space" => b" ".to_vec(),
        "lt" => b"<".to_vec(),
        _ => panic!("no key is called <{name}>"),
    }
}

fn control(key: &str) -> u8 {
    match key.as_bytes() {
        [letter @ (b'a'..=b'z' | b'@' | b'[' | b'\\' | b']' | b'^' | b'_')] => letter & 0x1f,
        _ => panic!("there is no <c-{key}>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &str, bytes: &[u8]) {
        assert_eq!(encode(keys, Modes::default()), bytes, "{keys}");
    }

    #[test]
    fn keys_become_what_a_terminal_sends() {
        check("hé<lt>b><enter>", "hé<b>\r".as_bytes());
        check(
            "<c-c><c-d><c-]><esc><tab><bs><space>",
            b"\x03\x04\x1d\x1b\t\x7f ",
        );
        check("<up><down><right><left>", b"\x1b[A\x1b[B\x1b[C\x1b[D");
        check("<home><end><del>", b"\x1b[H\x1b[F\x1b[3~");
        check("<a-x><a-é><s-tab>", "\x1bx\x1bé\x1b[Z".as_bytes());
        check("<pageup><pagedown>", b"\x1b[5~\x1b[6~");
        check("<paste:a\nb>", b"a\rb");
    }

    #[test]
    fn keys_follow_the_modes_of_the_program() {
        let modes = Modes {
            application_cursor: true,
            bracketed_paste: true,
        };
        assert_eq!(encode("<up><home>", modes), b"\x1bOA\x1bOH");
        assert_eq!(encode("<paste:a b>", modes), b"\x1b[200~a b\x1b[201~");
    }

    #[test]
    fn a_mistake_in_the_notation_is_named() {
        for (keys, complaint) in [
            ("<entre>", "no key is called <entre>"),
            ("<c-é>", "there is no <c-é>"),
            ("a<b", "a key without its `>` in \"a<b\""),
        ] {
            let panicked = std::panic::catch_unwind(|| encode(keys, Modes::default()));
            let message = panicked.unwrap_err();
            assert_eq!(message.downcast_ref::<String>().unwrap(), complaint);
        }
    }
}
