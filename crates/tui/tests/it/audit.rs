//! Every byte that the screen writes in random sessions goes through a terminal, and the terminal
//! is looked at after every step.
//!
//! In *roomy* sessions the live area always fits on the screen, and everything is exact: each row
//! of the terminal is accounted for, and the cursor never goes above the live area. In *tight*
//! ones the screen becomes too small for the live area, so that the terminal itself pushes rows of
//! it into the scrollback, where nobody can take them back; then what is settled still is there
//! once and in order, and no more of the live area is left behind than the terminal has pushed.

use pollux_tui::line::Line;
use pollux_tui::screen::{Looks, Position, Screen, Size, View};
use unicode_width::UnicodeWidthChar as _;

use super::dice::{Dice, Script, is_live};
use super::ledger::Ledger;
use super::sheet::Sheet;
use super::tape::Tape;
use super::terminals::{Cutting, Shown, Terminal, Wrapping};
use super::tokens::tokens;

const STEPS: usize = 16;

/// Where the cursor is if nothing is drawn.
const START: Position = Position { row: 0, column: 0 };

#[test]
fn terminals_that_cut_show_everything_once() {
    audit::<Cutting>(Room::Roomy, 0..250);
    audit::<Cutting>(Room::Tight, 400..500);
}

#[test]
fn terminals_that_wrap_anew_show_everything_once() {
    audit::<Wrapping>(Room::Roomy, 1000..1250);
    audit::<Wrapping>(Room::Tight, 1400..1500);
}

#[test]
fn a_strict_terminal_shows_everything_once() {
    audit::<Sheet>(Room::Roomy, 2000..2250);
    audit::<Sheet>(Room::Tight, 2400..2500);
}

#[expect(clippy::print_stderr, reason = "it says which session to look at")]
fn audit<T: Terminal>(room: Room, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let session = || Session::<T>::new(seed, room).run();
        let session = std::panic::AssertUnwindSafe(session);
        if let Err(panic) = std::panic::catch_unwind(session) {
            eprintln!("that was the {room:?} session {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Roomy,
    Tight,
}

struct Session<T> {
    room: Room,
    dice: Dice,
    terminal: T,
    screen: Screen<Tape>,
    tape: Tape,
    ledger: Ledger,
    size: Size,
    /// The size when the live area was drawn.
    drawn: Size,
    /// What was last asked for, as far as it fits.
    live: Vec<Line>,
    cursor: Option<Position>,
    /// The scripts of live lines.
    scripts: Vec<Script>,
    /// The row of the terminal where the live area begins.
    top: usize,
    /// How many live characters the terminal has pushed into the scrollback.
    lost: usize,
    /// All that was written.
    written: String,
    settled: usize,
}

impl<T: Terminal> Session<T> {
    fn new(seed: u64, room: Room) -> Self {
        let mut dice = Dice::new(seed);
        let size = dice.size();
        let tape = Tape::default();
        let looks = Looks {
            color: true,
            links: true,
            rewrap: T::REWRAP,
            synchronized: dice.once_in(2),
        };
        let scripts = match room {
            Room::Tight => vec![Script::Greek],
            Room::Roomy if T::EXACT => vec![Script::Latin, Script::Wide, Script::Marked],
            Room::Roomy => vec![Script::Latin],
        };
        Self {
            room,
            dice,
            terminal: T::new(size),
            screen: Screen::new(tape.clone(), size, looks),
            tape,
            ledger: Ledger::new(T::REWRAP),
            size,
            drawn: size,
            live: Vec::new(),
            cursor: Some(START),
            scripts,
            top: 0,
            lost: 0,
            written: String::new(),
            settled: 0,
        }
    }

    fn run(mut self) {
        for _ in 0..STEPS {
            match self.dice.roll(20) {
                0..=12 => self.draw(),
                13..=17 => self.resize(),
                18 => self.clear(),
                _ => self.leave(),
            }
        }
        self.leave();
        for number in 1..=self.settled {
            let times = self.written.matches(&label(number)).count();
            assert_eq!(times, 1, "times that {} was written", label(number));
        }
    }

    fn draw(&mut self) {
        let settled: Vec<Line> = (0..self.settled_count()).map(|_| self.settle()).collect();
        if self.dice.once_in(2) && !self.live.is_empty() {
            self.edit();
        } else {
            self.compose();
        }
        let view = View {
            settled: settled.clone(),
            live: self.live.clone(),
            cursor: self.cursor,
        };
        self.screen.draw(view).unwrap();
        for line in &settled {
            self.ledger.settle(&line.text(), self.size.width.into());
        }
        self.play();
        self.inspect();
    }

    fn resize(&mut self) {
        let size = self.dice.size();
        let width = usize::from(size.width);
        // Wide characters may leave the last column of each row empty.
        let drawn = usize::from(self.drawn.width);
        let rows = |line: &Line| line.width().min(drawn).div_ceil(width - 1).max(1);
        let needed: usize = self.live.iter().map(rows).sum();
        if self.room == Room::Roomy && needed >= size.height.into() {
            return;
        }
        self.size = size;
        self.terminal.resize(size);
        self.screen.resize(size);
        self.ledger.resize(width);
        let rows = self.terminal.rows();
        match self.room {
            Room::Roomy => self.top = self.ledger.count(&rows),
            Room::Tight => {
                let scrollback = rows.len() - usize::from(size.height);
                self.lost = self.lost.max(live_characters(&rows[..scrollback]));
            }
        }
    }

    fn clear(&mut self) {
        self.screen.clear().unwrap();
        self.play();
        self.inspect();
        let rows = self.terminal.rows().len();
        let first = rows - usize::from(self.size.height);
        assert_eq!(self.top, first, "where the live area begins");
    }

    /// Leaves, and perhaps somebody else prints something.
    fn leave(&mut self) {
        self.screen.leave().unwrap();
        self.live.clear();
        self.cursor = Some(START);
        self.play();
        self.inspect();
        if self.dice.once_in(2) {
            let line = self.settle().text();
            self.terminal.feed(&format!("{line}\r\n"));
            self.written.push_str(&line);
            self.ledger.settle(&line, self.size.width.into());
        }
    }

    /// Lets the terminal read what was written.
    fn play(&mut self) {
        let bytes = String::from_utf8(self.tape.take()).unwrap();
        for token in tokens(&bytes) {
            self.terminal.feed(token);
            let (row, _) = self.terminal.cursor();
            let is_safe = self.room == Room::Tight || row >= self.top;
            assert!(is_safe, "{token:?} goes to row {row} above {}", self.top);
        }
        self.written.push_str(&bytes);
    }

    /// Compares the terminal with what it should show.
    fn inspect(&mut self) {
        self.drawn = self.size;
        (self.live, self.cursor) = fitted(&self.live, self.cursor, self.size);
        let rows = self.terminal.rows();
        let cursor = self.terminal.cursor();
        self.top = match (self.room, self.cursor) {
            (Room::Roomy, _) => self.ledger.count(&rows),
            (Room::Tight, None) => return,
            (Room::Tight, Some(asked)) => {
                self.ledger.find(&rows);
                cursor.0 - asked.row
            }
        };
        if self.room == Room::Tight {
            let left = live_characters(&rows[..self.top]);
            assert!(left <= self.lost, "{left} live characters are left behind");
        }
        let expected = self.live.iter().map(|line| clipped(line, self.size));
        let expected: Vec<String> = expected.collect();
        let (live, below) = rows[self.top..].split_at(expected.len());
        let shown: Vec<&str> = live.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(shown, expected, "live");
        assert!(live.iter().all(|row| !row.wrapped), "a live row is wrapped");
        assert!(below.iter().all(|row| row.text.is_empty()), "{below:?}");
        assert_eq!(self.terminal.is_cursor_visible(), self.cursor.is_some());
        if let Some(Position { row, column }) = self.cursor {
            assert_eq!(cursor, (self.top + row, column), "cursor");
        }
    }

    fn settled_count(&mut self) -> usize {
        match self.dice.roll(12) {
            0..=6 => 0,
            7..=10 => 1 + self.dice.roll(3),
            _ => self.dice.roll(25),
        }
    }

    /// A line to settle. Each begins with something of its own, unless it is empty.
    fn settle(&mut self) -> Line {
        if self.room == Room::Roomy && self.dice.once_in(6) {
            return Line::default();
        }
        self.settled += 1;
        let label = label(self.settled);
        let width = usize::from(self.size.width);
        let width = match self.dice.roll(4) {
            0 => width - label.len(),
            1 => self.dice.roll(4 * width),
            _ => self.dice.roll(width),
        };
        let marked = if T::EXACT {
            Script::Marked
        } else {
            Script::Latin
        };
        let script = self.dice.pick(&[Script::Latin, Script::Wide, marked]);
        let text = self.dice.text(width, script);
        let mut line = Line::plain(label);
        line.spans.extend(self.dice.dress(&text).spans);
        line
    }

    /// Another live area.
    fn compose(&mut self) {
        let height = usize::from(self.size.height);
        let count = match self.dice.roll(15) {
            0 => height + self.dice.roll(4),
            1 => self.dice.roll(height),
            _ => self.dice.roll(8.min(height)),
        };
        let count = if self.room == Room::Tight {
            count.max(1)
        } else {
            count
        };
        self.live = (0..count).map(|_| self.live_line()).collect();
        self.point();
    }

    fn live_line(&mut self) -> Line {
        let width = usize::from(self.size.width);
        let width = match self.dice.roll(12) {
            0..=2 => width,
            3 => width + 1 + self.dice.roll(9),
            4 if self.room == Room::Roomy => 0,
            _ => 1 + self.dice.roll(width),
        };
        let script = self.dice.pick(&self.scripts);
        let mut text = self.dice.text(width, script);
        if self.dice.once_in(8) {
            text.push_str(&" ".repeat(usize::from(self.size.width).saturating_sub(width)));
        }
        self.dice.dress(&text)
    }

    /// A small change of one line.
    fn edit(&mut self) {
        let index = self.dice.roll(self.live.len());
        let mut text = self.live[index].text();
        let script = self.dice.pick(&self.scripts);
        let new = self.dice.text(1, script);
        match self.dice.roll(4) {
            0 if text.chars().count() > 1 => {
                let end = text.char_indices().next_back().unwrap().0;
                text.truncate(end);
            }
            1 if text.is_ascii() && !text.is_empty() => {
                let at = self.dice.roll(text.len());
                text.insert_str(at, &new);
            }
            2 if text.is_ascii() && !text.is_empty() => {
                let at = self.dice.roll(text.len());
                text.replace_range(at..=at, &new);
            }
            _ => text.push_str(&new),
        }
        self.live[index] = self.dice.dress(&text);
        if self.dice.once_in(3) || self.cursor.is_none() {
            self.point();
        }
    }

    /// Puts the cursor somewhere.
    fn point(&mut self) {
        if self.room == Room::Roomy && self.dice.once_in(6) {
            self.cursor = None;
            return;
        }
        self.cursor = Some(Position {
            row: self.dice.roll(self.live.len().max(1) + 1),
            column: self.dice.roll(usize::from(self.size.width) + 1),
        });
    }
}

fn label(number: usize) -> String {
    format!("s{number}.")
}

fn live_characters(rows: &[Shown]) -> usize {
    let texts = rows.iter().flat_map(|row| row.text.chars());
    texts.filter(|c| is_live(*c)).count()
}

/// The rows that there is room for, and where the cursor is among them.
fn fitted(live: &[Line], cursor: Option<Position>, size: Size) -> (Vec<Line>, Option<Position>) {
    let height = usize::from(size.height);
    let last = live.len().saturating_sub(1);
    let first = live.len().saturating_sub(height);
    let first = cursor.map_or(first, |cursor| first.min(cursor.row.min(last)));
    let rows = live.iter().skip(first).take(height).cloned().collect();
    let cursor = cursor.map(|cursor| Position {
        row: cursor.row.min(last) - first,
        column: cursor.column.min(usize::from(size.width) - 1),
    });
    (rows, cursor)
}

/// As much of a line as one row shows.
fn clipped(line: &Line, size: Size) -> String {
    let mut used = 0;
    let text = line.text();
    let fits = text.chars().take_while(|c| {
        used += c.width().unwrap();
        used <= size.width.into()
    });
    fits.collect::<String>().trim_end().to_owned()
}
