//! What is kept of an output, and what is counted as left out.

use proptest::prelude::*;

use super::*;

fn captured(limit: usize, chunks: &[&[u8]]) -> Captured {
    let mut captured = Captured::new(limit);
    for chunk in chunks {
        captured.push(chunk);
    }
    captured
}

#[test]
fn within_the_limit_everything_is_there() {
    let all = captured(12, &[b"one ", b"two ", b"thre"]);
    assert_eq!(all.text(), "one two thre");
    assert_eq!((all.total(), all.omitted()), (12, 0));
    assert_eq!(all.whole().unwrap(), b"one two thre");
    assert!(captured(0, &[]).is_empty());
    assert!(!captured(0, &[b"x"]).is_empty());
}

#[test]
fn beyond_the_limit_the_middle_is_counted() {
    let cut = captured(8, &[b"begin, ", b"much more, ", b"end\n"]);
    insta::assert_snapshot!(cut.text(), @r"
    begi
    [14 bytes left out]
    end
    ");
    assert_eq!((cut.total(), cut.omitted()), (22, 14));
    assert_eq!(cut.whole(), None);
}

#[test]
fn a_smaller_view_counts_what_it_leaves_out() {
    let whole = captured(100, &[b"0123456789"]);
    insta::assert_snapshot!(whole.text_within(4), @r"
    01
    [6 bytes left out]
    89
    ");
    let cut = captured(8, &[b"0123456789"]);
    insta::assert_snapshot!(cut.text_within(2), @r"
    0
    [8 bytes left out]
    9
    ");
}

#[test]
fn characters_are_not_cut_in_two() {
    let cut = captured(8, &["aé漢字bc漢é".as_bytes()]);
    insta::assert_snapshot!(cut.text(), @r"
    aé
    [11 bytes left out]
    é
    ");
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(captured(9, &[b"a\xffb"]).text(), "a\u{fffd}b");
}

proptest! {
    #[test]
    fn the_bound_holds_and_every_byte_is_accounted_for(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
        limit in 0_usize..100,
    ) {
        let all = chunks.concat();
        let mut captured = Captured::new(limit);
        for chunk in &chunks {
            captured.push(chunk);
            prop_assert!(captured.head.len() + captured.tail.len() <= limit);
        }
        let (head, tail) = (&captured.head, captured.tail.make_contiguous());
        prop_assert!(all.starts_with(head));
        prop_assert!(all.ends_with(tail));
        let accounted = head.len() as u64 + captured.omitted() + captured.tail.len() as u64;
        prop_assert_eq!(accounted, all.len() as u64);
        prop_assert_eq!(captured.omitted() == 0, all.len() <= limit);
    }

    #[test]
    fn valid_text_stays_valid_at_the_seam(text in "[a-z\\u00e9\\u6f22\\u{1f600}]{0,60}", limit in 0_usize..80) {
        let mut captured = Captured::new(limit);
        captured.push(text.as_bytes());
        let shown = captured.text();
        prop_assert_eq!(shown.contains(char::REPLACEMENT_CHARACTER), false, "{}", text);
        if let Some((head, rest)) = shown.split_once("\n[").filter(|_| captured.omitted() > 0) {
            let (count, tail) = rest.split_once(" bytes left out]\n").unwrap();
            let shown = head.len() + count.parse::<usize>().unwrap() + tail.len();
            prop_assert_eq!(shown, text.len());
        }
    }
}

#[test]
fn the_beginning_has_no_gap_and_no_half_character() {
    let mut captured = Captured::new(10);
    captured.push("abc".as_bytes());
    assert_eq!(
        (captured.beginning().as_str(), captured.goes_on()),
        ("abc", false)
    );
    captured.push("défghijklmnop".as_bytes());
    assert_eq!(
        (captured.beginning().as_str(), captured.goes_on()),
        ("abcd", true)
    );
}
