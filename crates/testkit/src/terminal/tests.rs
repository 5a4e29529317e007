//! Small programs in a real terminal.

use super::*;

fn sh(script: &str) -> Terminal {
    Terminal::spawn(&CommandSpec::sh(script), 5, 40)
}

fn complaint(test: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panicked = std::panic::catch_unwind(test).unwrap_err();
    panicked.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn keys_go_in_and_the_screen_comes_out() {
    let term = sh("read name; echo \"hello $name\"; exit 3");
    term.keys("world<enter>").wait_for("hello world");
    assert_eq!(term.wait_exit(), 3);
    assert_eq!(term.screen(), "world\nhello world");
    assert_eq!(term.cursor(), (2, 0));
}

#[test]
fn control_keys_are_signals() {
    let term = sh("trap 'echo caught; exit 7' INT; echo ready; while :; do read line; done");
    term.wait_for("ready").keys("<c-c>").wait_for("caught");
    assert_eq!(term.wait_exit(), 7);
    let term = sh("cat; echo over");
    term.keys("a<enter><c-d>").wait_for("over");
    assert_eq!(term.wait_exit(), 0);
}

#[test]
fn a_signal_shows_in_the_exit_code() {
    assert_eq!(sh("kill -TERM $$").wait_exit(), 128 + 15);
}

#[test]
fn the_program_knows_the_size_and_is_told_of_a_new_one() {
    let term =
        sh("stty size; trap 'stty size; exit 0' WINCH; echo ready; while :; do read x; done");
    term.wait_for("5 40\nready");
    // The shell may be between two commands when the signal comes; enter lets it look.
    term.resize(9, 60).keys("<enter>").wait_for("9 60");
    assert_eq!(term.wait_exit(), 0);
}

#[test]
fn lines_that_left_the_screen_are_kept() {
    let term = sh("i=1; while [ $i -le 300 ]; do echo line $i; i=$((i + 1)); done; echo");
    assert_eq!(term.wait_exit(), 0);
    assert_eq!(term.screen(), "line 298\nline 299\nline 300");
    let all: Vec<String> = (1..=300).map(|i| format!("line {i}")).collect();
    assert_eq!(term.contents_with_scrollback(), all.join("\n"));
    assert_eq!(term.screen(), "line 298\nline 299\nline 300");
}

#[test]
fn a_paste_is_marked_when_the_program_wants_that() {
    let script = "stty raw -echo; printf '\\033[?2004hready '; head -c 15 | cat -v; stty sane";
    let term = sh(script);
    term.wait_for("ready").paste("<b>");
    term.wait_for("ready ^[[200~<b>^[[201~");
    assert_eq!(term.wait_exit(), 0);
}

#[test]
fn questions_to_the_terminal_are_answered() {
    let script = "stty raw -echo; printf 'ab\\033[6n\\033[c'; head -c 15 | cat -v; stty sane";
    let term = sh(script);
    term.wait_for("ab^[[1;3R^[[?62;22c");
    assert_eq!(term.wait_exit(), 0);
}

#[test]
fn the_screen_can_be_looked_at_closely() {
    let term = sh("printf '\\033[31mred'; read x");
    term.wait_until(|screen| {
        let cell = screen.cell(0, 2).unwrap();
        cell.contents() == "d" && cell.fgcolor() == vt100::Color::Idx(1)
    });
}

#[test]
fn what_was_written_and_how_the_device_is_set_can_be_seen() {
    let term = sh("echo one; read x; stty raw; printf '\\033[31mtwo'; read x");
    term.wait_for("one");
    let found = term.settings();
    term.keys("<enter>")
        .wait_for_bytes(|bytes| bytes.ends_with(b"\x1b[31mtwo"));
    assert!(term.bytes().starts_with(b"one\r\n"));
    assert_ne!(term.settings(), found);
    term.signal(Signal::TERM);
    assert_eq!(term.wait_exit(), 128 + 15);
}

#[test]
fn a_terminal_that_goes_away_is_told_to_the_program() {
    let spec = CommandSpec::sh("trap 'exit 7' HUP; echo ready; while :; do read x; done");
    assert_eq!(Terminal::spawn_and_hang_up(&spec, "ready"), 7);
}

#[test]
fn waiting_in_vain_shows_the_screen() {
    let term = std::panic::AssertUnwindSafe(sh("echo something else; exit 2"));
    let message = complaint(move || {
        term.wait_for("hello");
    });
    assert!(
        message.contains("waited in vain for \"hello\""),
        "{message}"
    );
    assert!(message.contains("exited with code 2"), "{message}");
    assert!(message.contains("\nsomething else\n"), "{message}");
}

#[test]
fn dropping_the_terminal_kills_even_the_stubborn() {
    let term = sh("trap '' HUP TERM INT; echo pid $$ is ready; while :; do read line; done");
    let pid = term.pid;
    term.wait_for(&format!("pid {pid} is ready"));
    drop(term);
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    assert!(rustix::process::test_kill_process(pid).is_err());
}
