//! What is seen of a running command, and how often.

use proptest::prelude::*;
use tokio::time::{advance, timeout};

use super::*;

#[track_caller]
fn check(printed: &str, shown: &str) {
    for size in 1..=printed.len().max(1) {
        let mut tail = Tail::default();
        printed
            .as_bytes()
            .chunks(size)
            .for_each(|chunk| tail.push(chunk));
        assert_eq!(tail.text(), shown, "{printed:?} by {size}");
    }
}

#[test]
fn a_progress_bar_shows_its_last_state() {
    check("", "");
    check("one\ntwo", "one\ntwo");
    check("one\r\ntwo\r\n", "one\ntwo");
    check("get\n 1%\r 2%\r 3%", "get\n 3%");
    // A bar that ends with the return stays until the next one comes.
    check("get\n 1%\r 2%\r", "get\n 2%");
    check("get\n 1%\r 2%\r\ndone\n", "get\n 2%\ndone");
    check("é\rü\n", "ü");
}

#[test]
fn a_long_progress_bar_leaves_the_lines_above_it() {
    let mut tail = Tail::default();
    tail.push(b"Downloading\n");
    for step in 0..10_000 {
        tail.push(format!("{step:>40} of 9999\r").as_bytes());
        assert!(tail.0.len() <= 3 * SHOWN_BYTES);
    }
    assert_eq!(tail.text(), format!("Downloading\n{:>40} of 9999", 9999));
}

#[test]
fn the_last_lines_are_kept() {
    let mut tail = Tail::default();
    for line in 0..1000 {
        tail.push(format!("line {line}\n").as_bytes());
    }
    let last: Vec<String> = (980..1000).map(|line| format!("line {line}")).collect();
    assert_eq!(tail.text(), last.join("\n"));
}

proptest! {
    #[test]
    fn whatever_is_printed_is_shown_in_bounds(
        chunks in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..9000),
                "[aé\r\n]{0,300}".prop_map(String::into_bytes),
            ],
            0..12,
        ),
    ) {
        let mut tail = Tail::default();
        for chunk in &chunks {
            tail.push(chunk);
            prop_assert!(tail.0.len() <= 3 * SHOWN_BYTES);
        }
        let text = tail.text();
        prop_assert!(text.len() <= SHOWN_BYTES);
        prop_assert!(text.lines().count() <= SHOWN_LINES);
        prop_assert!(!text.contains('\r'));
    }

    #[test]
    fn no_character_is_cut(text in "[aé€😀]{0,3000}", size in 1_usize..5000) {
        let mut tail = Tail::default();
        for chunk in text.as_bytes().chunks(size) {
            tail.push(chunk);
            prop_assert!(!tail.text().contains(char::REPLACEMENT_CHARACTER));
        }
        prop_assert!(text.ends_with(&tail.text()));
        prop_assert!(tail.text().len() >= text.len().min(SHOWN_BYTES - 6));
    }
}

#[tokio::test(start_paused = true)]
async fn changes_are_shown_at_once_and_then_at_a_pace() {
    let live = Live::default();
    // Nobody looks.
    live.push(b"unseen\n");
    let mut watcher = live.watch();
    let begin = Instant::now();
    live.push(b"a\n");
    assert_eq!(watcher.next().await.as_deref(), Some("a"));
    assert_eq!(begin.elapsed(), Duration::ZERO);
    for _ in 0..1000 {
        live.push(b"b\n");
    }
    live.push(b"last\n");
    let shown = watcher.next().await.unwrap();
    assert!(shown.ends_with("b\nlast"), "{shown}");
    assert!(begin.elapsed() >= PACE && begin.elapsed() < PACE * 2);
    // Long after that, at once again.
    advance(PACE * 100).await;
    let later = Instant::now();
    live.push(b"x\n");
    watcher.next().await.unwrap();
    assert_eq!(later.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_shown_where_nothing_has_changed() {
    let live = Live::default();
    let mut watcher = live.watch();
    live.push(b"50%");
    assert_eq!(watcher.next().await.as_deref(), Some("50%"));
    // A look that was given up has lost nothing.
    live.push(b"\r51%");
    assert!(timeout(PACE / 10, watcher.next()).await.is_err());
    assert_eq!(watcher.next().await.as_deref(), Some("51%"));
    live.push(b"\r51%");
    assert!(timeout(PACE * 100, watcher.next()).await.is_err());
    drop(live);
    assert_eq!(watcher.next().await, None);
}
