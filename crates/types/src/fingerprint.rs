//! Telling whether something is still what a person has agreed to.

use ring::digest::{Context, SHA256};

/// Stands for these pieces, in this order, and for nothing else: SHA-256, in hexadecimal.
pub fn fingerprint(pieces: &[&[u8]]) -> String {
    let mut context = Context::new(&SHA256);
    for piece in pieces {
        context.update(&(piece.len() as u64).to_le_bytes());
        context.update(piece);
    }
    let digest = context.finish();
    let hex = digest.as_ref().iter().map(|byte| format!("{byte:02x}"));
    hex.collect()
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn pieces_and_their_order_count() {
        let both = fingerprint(&[b"ab", b"c"]);
        // It is kept on disk, so it must stay the same for ever.
        insta::assert_snapshot!(both, @"43ee655579de01ca739b3f95c1c2d3f46d353b2c0df818064ea594506cdb2617");
        assert_ne!(both, fingerprint(&[b"a", b"bc"]));
        assert_ne!(both, fingerprint(&[b"c", b"ab"]));
        assert_ne!(both, fingerprint(&[b"abc"]));
        assert_ne!(both, fingerprint(&[b"ab", b"c", b""]));
    }
}
