//! Text that has to fit into so many columns.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What stands for the part that is left out.
const CUT: char = '…';

/// The beginning of `text` in at most `width` columns; a cut is marked.
pub(crate) fn clip(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(1) else {
        return String::new();
    };
    let mut kept = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += grapheme.width();
        if used > room {
            break;
        }
        kept.push_str(grapheme);
    }
    kept.push(CUT);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_the_rest_is_cut_between_graphemes() {
        let cases = [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("漢字", 4, "漢字"),
            ("漢字", 3, "漢…"),
            ("漢字", 2, "…"),
            ("ae\u{301}b", 2, "a…"),
            ("a", 0, ""),
            ("", 0, ""),
        ];
        for (text, width, clipped) in cases {
            assert_eq!(clip(text, width), clipped, "{text:?} in {width}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_wider_than_asked_for(text in ".*", width in 0_usize..20) {
            assert!(clip(&text, width).width() <= width);
        }
    }
}
