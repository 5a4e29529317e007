//! Answers that are still being written: what is settled when, and that it does not matter how they
//! arrive.

use proptest::prelude::*;

use super::*;

#[test]
fn rows_settle_as_they_fill() {
    let mut markdown = Markdown::new(LOOKS);
    markdown.push(&"word ".repeat(12));
    assert!(markdown.settle(10).is_empty(), "it may be a table yet");
    markdown.push("one two three fou");
    assert!(shown(&markdown.settle(10)).ends_with("word word\none two"));
    assert_eq!(shown(&markdown.tail(10)), "three fou");
    markdown.push("r five **six");
    assert_eq!(shown(&markdown.settle(10)), "three four");
    assert_eq!(shown(&markdown.tail(10)), "five **six");
    markdown.push(" seven** eight nine ");
    insta::assert_snapshot!(marked(&markdown.settle(10)), @"
    five <b>six</>
    <b>seven</>
    ");
}

#[test]
fn the_screen_may_change_its_width_at_any_time() {
    let text = "- one **two three** four five six seven eight nine ten eleven twelve thirteen\n";
    let mut markdown = Markdown::new(LOOKS);
    let mut streamed = Vec::new();
    for (index, piece) in text.split_inclusive(' ').enumerate() {
        markdown.push(piece);
        streamed.append(&mut markdown.settle([60, 4, 0, 30][index % 4]));
    }
    streamed.append(&mut markdown.finish(8));
    let words = |lines: &[Line]| shown(lines).split_whitespace().collect::<String>();
    assert_eq!(words(&streamed), words(&lines(text, 80)));
}

#[test]
fn a_stray_mark_does_not_hold_the_message_back() {
    let mut markdown = Markdown::new(LOOKS);
    markdown.push("a *stray mark");
    for _ in 0..200 {
        markdown.push(" and words");
    }
    assert!(shown(&markdown.settle(40)).starts_with("a *stray mark and"));
    assert!(markdown.tail(40).len() < 40);
    let is_italic = |words: usize| {
        let text = format!("*{}*", "word ".repeat(words).trim_end());
        lines(&text, 80)[0].spans[0].style.italic
    };
    assert!(is_italic(inline::HELD / 5 - 1));
    assert!(!is_italic(inline::HELD / 5 + 1));
}

#[test]
fn code_settles_line_by_line_and_a_table_at_its_end() {
    let mut markdown = Markdown::new(LOOKS);
    markdown.push("```\nlet a = 1;\nlet b");
    assert_eq!(shown(&markdown.settle(10)), "```\nlet a = 1;");
    assert_eq!(shown(&markdown.tail(10)), "let b");
    markdown.push(";\n```\n| a | b |\n|---|---|\n| c | d |\n| e");
    assert_eq!(shown(&markdown.settle(10)), "let b;\n```");
    assert_eq!(shown(&markdown.tail(10)), "a │ b\n──┼──\nc │ d\ne │");
    markdown.push(" | f |\n\n");
    assert_eq!(shown(&markdown.settle(10)), "a │ b\n──┼──\nc │ d\ne │ f");
}

#[test]
fn long_parts_are_cut_at_the_same_places_however_they_arrive() {
    let texts = [
        "```\n".to_owned() + &"x".repeat(20_000) + "\nend\n```\n",
        "> ```\n> ".to_owned() + &"| ".repeat(10_000) + "\n> end\n",
        "| a | b |\n|---|---|\n".to_owned() + &"| one | two |\n".repeat(500) + "end",
        "| a | b |\n|---|---|\n".to_owned() + &"| one | two ".repeat(2_000) + "\nend",
        "- ".to_owned() + &"**".repeat(5_000) + "\nend",
        "# ".to_owned() + &"word ".repeat(4_000) + "\nend",
        " ".repeat(9_000) + "\nend",
        "- ".repeat(5_000) + "\nend",
        "-".repeat(9_000) + "\nend",
        "`".repeat(9_000) + "\nend",
        "[".to_owned() + &"a\n".repeat(3_000) + "end",
    ];
    for text in texts {
        let whole = lines(&text, 80);
        for size in [61, 1_000, 8_192, 8_193] {
            let mut markdown = Markdown::new(LOOKS);
            let mut streamed = Vec::new();
            for chunk in text.as_bytes().chunks(size) {
                markdown.push(std::str::from_utf8(chunk).unwrap());
                streamed.append(&mut markdown.settle(80));
            }
            streamed.append(&mut markdown.finish(80));
            assert!(streamed == whole, "{text:.20} in pieces of {size}");
        }
    }
}

#[test]
fn what_is_held_does_not_grow_with_the_text() {
    let texts = [
        "word ",
        "*a ",
        "a\n",
        "- a\n",
        "> - ",
        "| a | b |\n|---|---|\n",
        "x",
        "`",
        "漢",
        "|",
        "\n",
        "  ",
        "```c\n/* a\n",
        "# a",
    ];
    for text in texts {
        let mut markdown = Markdown::new(LOOKS);
        let mut held = |length: usize| {
            markdown.push(&text.repeat(length / text.len()));
            markdown.settle(80);
            format!("{markdown:?}").len()
        };
        let some = held(20_000);
        let more = held(40_000);
        assert!(more < some + 20_000, "{text:?}: {some} bytes, then {more}");
    }
}

/// Text that is likely to mean something.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-d ]{1,8}",
        "\\PC{0,3}",
        proptest::sample::select(vec![
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "**",
            "*",
            "_",
            "~~",
            "`",
            "```",
            "~~~",
            "```rust\n",
            "[a](b)",
            "[",
            "](",
            ")",
            "<http://a.b>",
            "https://a.b/c ",
            "- ",
            "  - ",
            "1. ",
            "2) ",
            "> ",
            "# ",
            "###### ",
            "---\n",
            "|",
            "| a | b |\n",
            "|---|:-:|\n",
            "    ",
            "\t",
            "\\",
            "&amp;",
            "&#27;",
            "漢字、",
            "[ ] ",
            "===\n",
            "<br>",
            "\u{c}",
            "\u{2028}",
            "a long line of words that goes on and on and on for ever ",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn it_does_not_matter_how_text_is_cut(
        text in soup(),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..12),
        width in 2..60_usize,
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.push(text.len());
        cuts.sort_unstable();
        let mut markdown = Markdown::new(LOOKS);
        let mut streamed = Vec::new();
        let mut from = 0;
        for cut in cuts {
            let cut = text.floor_char_boundary(cut);
            markdown.push(&text[from..cut]);
            from = cut;
            streamed.append(&mut markdown.settle(width));
            for row in markdown.tail(width) {
                prop_assert!(row.width() <= width, "{:?}", row);
            }
        }
        streamed.append(&mut markdown.finish(width));
        prop_assert_eq!(&streamed, &lines(&text, width));
        for line in &streamed {
            for span in &line.spans {
                prop_assert_eq!(visible(&span.text), span.text.as_str());
                prop_assert!(!span.text.contains(['\t', '\n']), "{:?}", span);
            }
        }
    }
}
