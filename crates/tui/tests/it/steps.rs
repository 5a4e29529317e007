//! However a picture came about, it looks the same.

use pollux_tui::screen::{Looks, Position, Screen, Size, View};

use super::dice::{Dice, Script};
use super::sheet::Sheet;
use super::tape::Tape;
use super::terminals::{Cutting, Terminal, Wrapping};

#[test]
fn drawing_step_by_step_is_drawing_at_once() {
    (0..100).for_each(by_steps::<Cutting>);
    (0..100).for_each(by_steps::<Wrapping>);
    (0..100).for_each(by_steps::<Sheet>);
}

/// Characters that terminals disagree about leave nothing behind, and nothing out, however wide
/// this one takes them to be.
fn by_steps<T: Terminal>(seed: u64) {
    let mut dice = Dice::new(seed);
    let size = Size {
        width: 20,
        height: 5,
    };
    let show = |views: &[View]| {
        let tape = Tape::default();
        let looks = Looks {
            color: true,
            links: true,
            rewrap: T::REWRAP,
            synchronized: true,
        };
        let mut screen = Screen::new(tape.clone(), size, looks);
        let mut terminal = T::new(size);
        for view in views {
            screen.draw(view.clone()).unwrap();
            terminal.feed(&String::from_utf8(tape.take()).unwrap());
        }
        (terminal.picture(), terminal.rows())
    };
    let mut views: Vec<View> = Vec::new();
    for _ in 0..4 {
        let mut doubtful = || {
            let width = dice.roll(24);
            let text = dice.text(width, Script::Doubtful);
            dice.dress(&text)
        };
        let mut live = vec![doubtful(), doubtful()];
        // One that changes only in the middle.
        let middle = dice.pick(&["字", "ab", "👩\u{200d}💻", "❤\u{fe0f}"]);
        live.push(format!("head{middle}tail").into());
        let cursor = Some(Position {
            row: dice.roll(3),
            column: dice.roll(20),
        });
        views.push(View {
            settled: Vec::new(),
            live,
            cursor,
        });
        let (picture, rows) = show(&views);
        let at_once = show(&views[views.len() - 1..]);
        assert_eq!(
            (&picture, &rows),
            (&at_once.0, &at_once.1),
            "session {seed}"
        );
        assert!(
            rows.iter().all(|row| !row.wrapped),
            "session {seed}: {rows:?}"
        );
    }
}
