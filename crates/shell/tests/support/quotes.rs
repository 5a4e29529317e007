//! Words made of quotes and backslashes.

use super::dress::Random;

/// A word of letters, spaces, quotes and backslashes.
pub(crate) fn quoted_word(random: &mut Random) -> String {
    let mut word = String::new();
    for _ in 0..=random.below(6) {
        let count = random.below(5);
        let mut some = |of: &[&str]| -> String { (0..count).map(|_| random.pick(of)).collect() };
        match count % 4 {
            0 => word.extend(["'", &some(&["a", " ", "\\", "\"", "Z"]), "'"]),
            1 => word.extend(["\"", &some(&["a", " ", "\\\\", "\\\"", "\\x", "'"]), "\""]),
            2 => word.extend(["\\", random.pick(&["a", "\\", "'", "\"", " ", "b"])]),
            _ => word.push_str(&some(&["a", "b", "Z"])),
        }
        if random.below(3) == 0 {
            word.extend(["\"", random.pick(&["\\a \\\\ ", "it's", "", "\\'"]), "\""]);
        }
    }
    if word.is_empty() {
        String::from("''")
    } else {
        word
    }
}
