//! Whether a terminal is as it was before pollux had it.

use pollux_testkit::Terminal;

/// Checks that nothing of pollux is left in a terminal that was set as `found`, after a shell has
/// said with which code it ended.
pub(crate) fn is_itself(terminal: &Terminal, found: &str, code: i32) {
    let said = format!("\ncode={code}");
    terminal.wait_until(|screen| screen.contents().trim_end().ends_with(&said));
    assert_eq!(terminal.settings(), found);
    terminal.wait_until(|screen| {
        assert!(!screen.bracketed_paste(), "pastes are marked");
        assert!(!screen.hide_cursor(), "no cursor");
        assert!(!screen.alternate_screen(), "another screen");
        assert!(!screen.application_cursor(), "other keys");
        true
    });
    let bytes = String::from_utf8(terminal.bytes()).unwrap();
    let count = |sequence: &str| bytes.matches(sequence).count();
    assert_eq!(count("\u{1b}[>1u"), count("\u{1b}[<u"), "kitty's keys");
    assert_eq!(count("\u{1b}[>4;2m"), count("\u{1b}[>4;0m"), "xterm's keys");
    assert_eq!(
        count("\u{1b}[22;0t"),
        count("\u{1b}[23;0t"),
        "the title that was there"
    );
    for mode in ["2004", "2026", "1004"] {
        let last = |on: &str| bytes.rfind(&format!("\u{1b}[?{mode}{on}"));
        assert!(last("h") <= last("l"), "mode {mode} is on");
    }
    let title = bytes.rsplit("\u{1b}]2;").next().unwrap();
    assert!(
        title.starts_with("\u{1b}\\"),
        "the title is left: {title:?}"
    );
    // The shell's next line begins where a line begins.
    let shown = terminal.screen();
    assert!(shown.ends_with(&format!("\ncode={code}")), "{shown}");
}
