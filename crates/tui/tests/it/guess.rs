//! What becomes of the settled rows when the terminal does something else than was guessed.

use pollux_tui::line::Line;
use pollux_tui::screen::{Looks, Position, Rewrap, Screen, Size, View};

use super::tape::Tape;
use super::terminals::{Cutting, Terminal, Wrapping};

const SIZE: Size = Size {
    width: 20,
    height: 8,
};

/// Which settled lines are there after the screen has become narrower twice.
fn kept<T: Terminal>(rewrap: Rewrap) -> Vec<String> {
    let tape = Tape::default();
    let looks = Looks {
        color: false,
        links: false,
        rewrap,
        synchronized: false,
    };
    let mut screen = Screen::new(tape.clone(), SIZE, looks);
    let mut terminal = T::new(SIZE);
    let mut settled = ["one", "two", "three"].map(Line::from).to_vec();
    for width in [20, 12, 7] {
        let size = Size { width, ..SIZE };
        terminal.resize(size);
        screen.resize(size);
        let view = View {
            settled: std::mem::take(&mut settled),
            live: vec![Line::from("~".repeat(width.into())); 2],
            cursor: Some(Position { row: 1, column: 5 }),
        };
        screen.draw(view).unwrap();
        terminal.feed(&String::from_utf8(tape.take()).unwrap());
    }
    let rows = terminal.rows().into_iter().map(|row| row.text);
    rows.filter(|text| text.contains(char::is_alphabetic))
        .collect()
}

#[test]
fn a_terminal_that_is_taken_for_one_that_cuts_loses_nothing() {
    let all = ["one", "two", "three"];
    assert_eq!(kept::<Wrapping>(Rewrap::Yes), all);
    assert_eq!(kept::<Cutting>(Rewrap::No), all);
    // Guessed wrong.
    assert_eq!(kept::<Wrapping>(Rewrap::No), all);
    // This is why nobody is taken for one that rewraps without being known for it.
    assert_ne!(kept::<Cutting>(Rewrap::Yes), all);
}
