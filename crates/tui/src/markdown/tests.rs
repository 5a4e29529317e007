//! Answers as people see them, and that it does not matter how they arrive.

use proptest::prelude::*;

use super::*;
use crate::line::Span;
use crate::style::{Color, Style};

const LOOKS: Looks = Looks {
    color: true,
    links: true,
};

fn lines(text: &str, width: usize) -> Vec<Line> {
    let mut markdown = Markdown::new(LOOKS);
    markdown.push(text);
    markdown.finish(width)
}

fn shown(lines: &[Line]) -> String {
    let lines: Vec<String> = lines.iter().map(Line::text).collect();
    lines.join("\n")
}

/// The lines with their looks as tags.
fn marked(lines: &[Line]) -> String {
    let tags = |style: Style| {
        let color = match style.color {
            Some(Color::Ansi(color)) => format!("{color}"),
            Some(Color::Indexed(_)) => "256".to_owned(),
            None => String::new(),
        };
        let attributes = [
            (style.bold, "b"),
            (style.dim, "d"),
            (style.italic, "i"),
            (style.underline, "u"),
            (style.strike, "s"),
        ];
        let attributes = attributes.iter().filter(|(is_set, _)| *is_set);
        color + &attributes.map(|(_, tag)| *tag).collect::<String>()
    };
    let span = |span: &Span| {
        let tags = tags(span.style);
        let text = match &span.link {
            Some(link) => format!("<a {link}>{}</a>", span.text),
            None => span.text.clone(),
        };
        if tags.is_empty() {
            text
        } else {
            format!("<{tags}>{text}</>")
        }
    };
    let lines = lines
        .iter()
        .map(|line| line.spans.iter().map(span).collect());
    lines.collect::<Vec<String>>().join("\n")
}

#[test]
fn paragraphs_are_wrapped_and_keep_their_line_breaks() {
    let text = "The quick brown fox jumps over the lazy dog.\nA second line.\n\n\n\nAnother.\n\n";
    insta::assert_snapshot!(shown(&lines(text, 20)), @"
    The quick brown fox
    jumps over the lazy
    dog.
    A second line.

    Another.
    ");
}

#[test]
fn marks_become_looks() {
    let text = "**bold** and *slanted*, ~~gone~~, `code`, snake_case_name, 2 * 3 * 4, **a *b* c**";
    insta::assert_snapshot!(marked(&lines(text, 120)), @"<b>bold</> and <i>slanted</>, <s>gone</>, <6>code</>, snake_case_name, 2 * 3 * 4, <b>a </><bi>b</><b> c</>");
    let text = "[docs](https://example.org/a) <https://example.org> see https://example.org/x_y. ![alt](a.png) <br> &lt; [x]";
    insta::assert_snapshot!(marked(&lines(text, 120)), @"<a https://example.org/a>docs</a> (<a https://example.org/a>https://example.org/a</a>) <a https://example.org>https://example.org</a> see <a https://example.org/x_y>https://example.org/x_y</a>. alt <br> < [x]");
}

#[test]
fn without_colours_code_keeps_its_marks() {
    let looks = Looks {
        color: false,
        links: false,
    };
    let mut markdown = Markdown::new(looks);
    markdown.push("run `ls` or [look](https://example.org)");
    insta::assert_snapshot!(marked(&markdown.finish(80)), @"run `ls` or look (https://example.org)");
}

#[test]
fn rows_settle_as_they_fill() {
    let mut markdown = Markdown::new(LOOKS);
    markdown.push("one two three fou");
    assert_eq!(shown(&markdown.settle(10)), "one two");
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
fn a_stray_mark_does_not_hold_the_message_back() {
    let mut markdown = Markdown::new(LOOKS);
    markdown.push("a *stray mark");
    for _ in 0..200 {
        markdown.push(" and words");
    }
    assert!(shown(&markdown.settle(40)).starts_with("a *stray mark and"));
    assert!(markdown.tail(40).len() < 40);
}

#[test]
fn what_a_terminal_would_obey_is_spelled_out() {
    let text = "a\x1b[31m\r\nb\rc &#27;[2J [x](https://e.org/&#27;]) `\x07`";
    insta::assert_snapshot!(marked(&lines(text, 80)), @r"
    a\e[31m
    b\rc \e[2J x (https://e.org/\e]) <6>\u{7}</>
    ");
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
