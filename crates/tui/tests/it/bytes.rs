//! The exact bytes of what happens all the time.

use insta::assert_snapshot;
use pollux_tui::line::{Line, Span};
use pollux_tui::screen::{Looks, Position, Rewrap, Screen, Size, View};
use pollux_tui::style::{Color, Style};

use super::tape::Tape;

const LOOKS: Looks = Looks {
    color: true,
    links: true,
    rewrap: Rewrap::Yes,
    synchronized: true,
};

const SIZE: Size = Size {
    width: 20,
    height: 6,
};

/// A screen, and what it writes.
struct Desk {
    screen: Screen<Tape>,
    tape: Tape,
}

impl Desk {
    fn new(looks: Looks) -> Self {
        let tape = Tape::default();
        let screen = Screen::new(tape.clone(), SIZE, looks);
        Self { screen, tape }
    }

    /// What is written to show this.
    fn draw<L: Into<Line> + Clone>(
        &mut self,
        settled: &[&str],
        live: &[L],
        cursor: Option<(usize, usize)>,
    ) -> String {
        self.screen.draw(view(settled, live, cursor)).unwrap();
        self.written()
    }

    fn written(&self) -> String {
        let bytes = String::from_utf8(self.tape.take()).unwrap();
        bytes.replace('\x1b', "^").escape_debug().to_string()
    }
}

fn view<L: Into<Line> + Clone>(
    settled: &[&str],
    live: &[L],
    cursor: Option<(usize, usize)>,
) -> View {
    View {
        settled: settled.iter().map(|line| Line::plain(*line)).collect(),
        live: live.iter().cloned().map(Into::into).collect(),
        cursor: cursor.map(|(row, column)| Position { row, column }),
    }
}

#[test]
fn a_key_costs_its_own_bytes() {
    let mut desk = Desk::new(LOOKS);
    desk.draw(&[], &["working", "> a"], Some((1, 3)));
    assert_snapshot!(desk.draw(&[], &["working", "> ab"], Some((1, 4))), @"b");
    assert_snapshot!(desk.draw(&[], &["working", "> ab "], Some((1, 5))), @"^[C");
    assert_snapshot!(desk.draw(&[], &["working", "> ab c"], Some((1, 6))), @r"\u{8} c");
    // Moving left, and typing in the middle.
    assert_snapshot!(desk.draw(&[], &["working", "> ab c"], Some((1, 3))), @r"\u{8}\u{8}\u{8}");
    assert_snapshot!(desk.draw(&[], &["working", "> axb c"], Some((1, 4))), @r"xb c\u{8}\u{8}\u{8}");
    // Deleting.
    assert_snapshot!(desk.draw(&[], &["working", "> ab c"], Some((1, 3))), @r"\u{8}b c^[K\u{8}\u{8}\u{8}");
    assert_snapshot!(desk.draw(&[], &["working", "> ab"], Some((1, 4))), @"^[C^[K");
    // Nothing new, nothing written.
    assert_snapshot!(desk.draw(&[], &["working", "> ab"], Some((1, 4))), @"");
}

#[test]
fn streamed_text_costs_its_own_bytes_and_the_way_there_and_back() {
    let mut desk = Desk::new(LOOKS);
    desk.draw(&[], &["The answer", "", "> "], Some((2, 2)));
    assert_snapshot!(desk.draw(&[], &["The answer is", "", "> "], Some((2, 2))), @"^[2A^[11G is^[2B^[3G");
    assert_snapshot!(desk.draw(&[], &["The answer is 42", "", "> "], Some((2, 2))), @"^[2A^[14G 42^[2B^[3G");
}

/// A long answer, a word at a time, with a status row and a prompt below it.
#[test]
fn a_streamed_answer_costs_little_more_than_its_text() {
    let mut desk = Desk::new(LOOKS);
    let mut tail = String::new();
    let (mut text, mut written) = (0, 0);
    for number in 0..1000 {
        let word = format!("word{number} ");
        text += word.len();
        let full = tail.len() + word.len() > 20;
        let settled = full.then(|| std::mem::take(&mut tail));
        tail.push_str(&word);
        let settled: Vec<&str> = settled.iter().map(String::as_str).collect();
        let live = [tail.as_str(), "working", "> next"];
        desk.screen
            .draw(view(&settled, &live, Some((2, 6))))
            .unwrap();
        written += desk.tape.take().len();
    }
    let more = (written - text) / 1000;
    assert!(more <= 33, "{more} bytes a draw besides the text");
}

#[test]
fn settled_lines_are_printed_above_the_live_ones() {
    let mut desk = Desk::new(LOOKS);
    assert_snapshot!(desk.draw(&["hello"], &["> "], Some((0, 2))), @r"\rhello\r\n>^[C");
    assert_snapshot!(desk.draw(&["longer than the screen is wide", ""], &["> "], Some((0, 2))), @r"\r^[K^[C^[J\rlonger than the screen is wide\r\n\r\n>^[C");
}

#[test]
fn large_changes_are_shown_at_once() {
    let wall = ["twenty columns wide."; 5];
    assert_snapshot!(Desk::new(LOOKS).draw(&[], &wall, Some((4, 0))), @r"^[?2026h\rtwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r^[?2026l");
    let looks = Looks {
        synchronized: false,
        ..LOOKS
    };
    assert_snapshot!(Desk::new(looks).draw(&[], &wall, Some((4, 0))), @r"^[?25l\rtwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r^[?25h");
    assert_snapshot!(Desk::new(looks).draw(&[], &wall, None), @r"^[?25l\rtwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.\r\ntwenty columns wide.^[?25l");
}

#[test]
fn looks_change_with_few_bytes_and_end_with_the_line() {
    let line = Line::new("red", Style::color(Color::RED))
        .with(" bold", Style::color(Color::RED).bold())
        .with(" dim", Style::DIM)
        .with(" no", Style::PLAIN)
        .with(" 200", Style::color(Color::Indexed(200)));
    assert_snapshot!(Desk::new(LOOKS).draw(&[], std::slice::from_ref(&line), None), @r"\r^[31mred^[1m bold^[0;2m dim^[m no^[38;5;200m 200^[m^[?25l");
    let looks = Looks {
        color: false,
        ..LOOKS
    };
    assert_snapshot!(Desk::new(looks).draw(&[], &[line], None), @r"\rred^[1m bold^[0;2m dim^[m no 200^[?25l");
}

#[test]
fn links_lead_somewhere_only_if_wanted() {
    let link = |to: &str| Line {
        spans: vec![Span {
            link: Some(to.into()),
            ..Span::new("docs", Style::PLAIN)
        }],
    };
    let to_docs = link("https://example.com/");
    assert_snapshot!(Desk::new(LOOKS).draw(&[], std::slice::from_ref(&to_docs), None), @r"\r^]8;;https://example.com/^\\docs^]8;;^\\^[?25l");
    let looks = Looks {
        links: false,
        ..LOOKS
    };
    assert_snapshot!(Desk::new(looks).draw(&[], &[to_docs], None), @r"\rdocs^[?25l");
    // No address can smuggle in a sequence of its own.
    assert_snapshot!(Desk::new(LOOKS).draw(&[], &[link("x\x1b\\\x1b[2J")], None), @r"\rdocs^[?25l");
}

#[test]
fn leaving_and_clearing_scroll_and_erase_only_what_is_live() {
    let mut desk = Desk::new(LOOKS);
    desk.draw(&["settled"], &["status", "> "], None);
    desk.screen.clear().unwrap();
    assert_snapshot!(desk.written(), @r"^[A\r^[K^[C^[J\r\n\n\n\n\n^[5Astatus\r\n>");
    desk.screen.leave().unwrap();
    assert_snapshot!(desk.written(), @r"^[A\r^[K^[C^[J\r^[?25h");
    desk.screen.leave().unwrap();
    assert_snapshot!(desk.written(), @"");
    assert_snapshot!(desk.draw(&[], &["> "], Some((0, 2))), @r"\r>^[C");
}

#[test]
fn characters_of_doubtful_width_are_fenced_in() {
    let mut desk = Desk::new(LOOKS);
    assert_snapshot!(desk.draw(&[], &["a👩\u{200d}💻b漢c"], None), @r"\ra^[2X👩\u{200d}💻^[4G^[3Xb漢c^[?25l");
}
