//! Ends of lines: LF, and the CRLF that some files keep.

use memchr::{memchr_iter, memmem};

/// Whether every line ends in CRLF, and there is one.
pub(crate) fn all_crlf(text: &[u8]) -> bool {
    let crlf = memmem::find_iter(text, b"\r\n").count();
    crlf > 0 && crlf == memchr_iter(b'\n', text).count()
}

/// `text` with LF where it had CRLF.
pub(crate) fn to_lf(text: &[u8]) -> Vec<u8> {
    let mut lf = Vec::with_capacity(text.len());
    let mut done = 0;
    for at in memmem::find_iter(text, b"\r\n") {
        lf.extend_from_slice(&text[done..at]);
        done = at + 1;
    }
    lf.extend_from_slice(&text[done..]);
    lf
}

/// `text` with CRLF at the end of every line.
pub(crate) fn to_crlf(text: &[u8]) -> Vec<u8> {
    let mut crlf = Vec::with_capacity(text.len() + text.len() / 32);
    for line in to_lf(text).split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => crlf.extend([line, b"\r\n"].concat()),
            None => crlf.extend(line),
        }
    }
    crlf
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        assert_eq!(to_crlf(b"a\nb\r\n\nc\r"), b"a\r\nb\r\n\r\nc\r");
        assert_eq!(to_lf(b"a\r\nb\n\r\r\n\r"), b"a\nb\n\r\n\r");
    }

    #[test]
    fn throughout_means_every_line() {
        assert!(all_crlf(b"a\r\nb\r\nc"));
        assert!(!all_crlf(b"a\r\nb\nc"));
        assert!(!all_crlf(b"a"));
    }
}
