//! How long it takes to show a long answer that arrives in many pieces:
//! `cargo run --release -p pollux-tui --example markdown`.

#![expect(clippy::print_stdout, reason = "this is what the example is for")]

use std::time::{Duration, Instant};

use pollux_tui::markdown::Markdown;
use pollux_tui::screen::{Looks, Rewrap};

/// The length of the answer in bytes, and how many pieces it comes in.
const LENGTH: usize = 1_000_000;
const PIECES: usize = 5_000;

fn main() {
    let parts = [
        (
            "paragraphs",
            "The **quick** brown fox, `jumps()` over [it](https://example.org/a_b) again and again.\n\n",
        ),
        (
            "one line",
            "the quick brown fox jumps over the lazy dog and ",
        ),
        ("stray marks", "a *b _c [d `e "),
        (
            "lists",
            "- one point of a list that is somewhat longer than the screen is wide, so that it wraps\n  1. nested\n",
        ),
        (
            "table",
            "| a | b |\n|---|---|\n| one `two` | three and four |\n| one `two` | three and four |\n\n",
        ),
        ("long table", "| a | b |\n|---|---|\n"),
        (
            "code in rust",
            "```rust\nfn main() {\n    // a comment\n    let answer: u32 = \"forty-two\".len() as u32 + 33;\n    println!(\"{answer}\");\n}\n```\n\n",
        ),
        (
            "code in no language",
            "```\nfn main() {\n    let answer = 42;\n}\n```\n\n",
        ),
        (
            "characters of two columns",
            "敏捷的棕色狐狸跳过了懒狗。**强调：**还有更多。",
        ),
    ];
    for (name, part) in parts {
        let answer = match name {
            "long table" => part.to_owned() + &"| one `two` | three |\n".repeat(LENGTH / 22),
            _ => part.repeat(LENGTH / part.len()),
        };
        show(name, &answer);
    }
}

fn show(name: &str, answer: &str) {
    let looks = Looks {
        color: true,
        links: true,
        rewrap: Rewrap::Yes,
        synchronized: true,
    };
    let mut markdown = Markdown::new(looks);
    let (mut settling, mut drawing, mut longest) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut lines = 0;
    let mut rest = answer;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(answer.len() / PIECES));
        rest = after;
        let began = Instant::now();
        markdown.push(piece);
        lines += markdown.settle(100).len();
        let settled = began.elapsed();
        lines += usize::from(markdown.tail(100).is_empty());
        let drawn = began.elapsed();
        settling += settled;
        drawing += drawn.saturating_sub(settled);
        longest = longest.max(drawn);
    }
    lines += markdown.finish(100).len();
    println!(
        "{name:32} {:7.1} ms to settle, {:7.1} ms for the tails, longest {:5.2} ms, {lines} lines",
        millis(settling),
        millis(drawing),
        millis(longest)
    );
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
