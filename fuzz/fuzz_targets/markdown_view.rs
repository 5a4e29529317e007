//! Any answer, cut anywhere, on any screen: no panic, the same lines as in one piece, nothing that
//! a terminal would obey.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pollux_tui::line::Line;
use pollux_tui::markdown::{Looks, Markdown};
use pollux_types::untrusted::visible;

fuzz_target!(|input: (&str, u8, u8)| {
    let (text, cut, width) = input;
    let looks = Looks {
        color: true,
        links: true,
    };
    let width = usize::from(width);
    let mut whole = Markdown::new(looks);
    whole.push(text);
    let whole = whole.finish(width);
    let mut markdown = Markdown::new(looks);
    let mut lines: Vec<Line> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(usize::from(cut) + 1));
        rest = after;
        markdown.push(piece);
        lines.extend(markdown.settle(width));
        markdown.tail(width);
    }
    lines.extend(markdown.finish(width));
    assert_eq!(lines, whole);
    for span in lines.iter().flat_map(|line| &line.spans) {
        assert_eq!(visible(&span.text), span.text.as_str());
        assert!(!span.text.contains(['\n', '\t']));
    }
});
