//! What keys do, end to end: a row a key. `|` is the cursor.

use pollux_testkit::Turn;

use super::Repl;

/// What is typed, with a bar where the cursor is.
fn shown(screen: &pollux_testkit::vt100::Screen) -> Option<String> {
    let (row, column) = screen.cursor_position();
    let cells = (0..screen.size().1.get()).filter_map(|at| Some((at, screen.cell(row, at)?)));
    let mut line = String::new();
    for (at, cell) in cells {
        if at == column {
            line.push('|');
        }
        match cell.contents() {
            "" if cell.is_wide_continuation() => {}
            "" => line.push(' '),
            contents => line.push_str(contents),
        }
    }
    let (_, typed) = line.split_once("> ")?;
    Some(typed.trim_end().to_owned())
}

fn check(repl: &Repl, rows: &[(&str, &str)]) {
    for (keys, expected) in rows {
        let mut last = None;
        repl.keys(keys);
        let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            repl.terminal.wait_until(|screen| {
                last = shown(screen);
                last.as_deref() == Some(*expected)
            });
        }));
        assert!(waited.is_ok(), "{keys}: {last:?} is not {expected:?}");
    }
}

#[test]
fn s0_10_s0_11_emacs_keys() {
    let repl = Repl::new([]);
    check(
        &repl,
        &[
            ("one two three", "one two three|"),
            ("<c-a>", "|one two three"),
            ("<c-e>", "one two three|"),
            ("<home>", "|one two three"),
            ("<right><c-f>", "on|e two three"),
            ("<left><c-b>", "|one two three"),
            ("<end>", "one two three|"),
            ("<a-b>", "one two |three"),
            ("<a-b>", "one |two three"),
            ("<a-f>", "one two| three"),
            ("\u{1b}[1;5D", "one |two three"),
            ("\u{1b}[1;3C", "one two| three"),
            ("<c-k>", "one two|"),
            ("<c-y>", "one two three|"),
            ("<a-\u{7f}>", "one two |"),
            ("<c-w>", "one |"),
            ("<c-y>", "one two three|"),
            ("<c-_>", "one |"),
            ("<c-u>", "|"),
            ("<c-y>", "one |"),
            ("<bs><bs>", "on|"),
            ("<c-h>", "o|"),
            ("xy<c-t>", "oyx|"),
            ("<home><del>", "|yx"),
            ("<c-d>", "|x"),
            ("<a-d>", "|"),
            ("漢字<left>", "漢|字"),
            ("<bs>", "|字"),
            ("<esc>", "|"),
        ],
    );
}

#[test]
fn s0_04_vim_keys_come_first() {
    let repl = Repl::new([]);
    repl.keys("/vim<enter>").sees("INSERT");
    check(&repl, &[("one two three", "one two three|")]);
    repl.keys("<esc>").sees("NORMAL");
    check(
        &repl,
        &[
            ("0", "|one two three"),
            ("w", "one |two three"),
            ("dw", "one |three"),
            ("u", "one |two three"),
            ("cwfour<esc>", "one fou|r three"),
            ("b.", "one fou|r three"),
        ],
    );
    check(
        &repl,
        &[
            ("0x", "|ne four three"),
            ("A!<esc>", "ne four three|!"),
            ("Isome <esc>", "some| ne four three!"),
            ("dd", "|"),
        ],
    );
    repl.keys("i").sees("INSERT");
    check(&repl, &[("plain", "plain|"), ("<c-u>", "|")]);
    repl.keys("/vim<enter>");
    repl.terminal
        .wait_until(|screen| !screen.contents().contains("INSERT"));
}

#[test]
fn s0_04_enter_sends_from_every_mode_of_vim() {
    let turns = ["One.", "Two."].map(|text| Turn::text([text]));
    let repl = super::Start::new(turns)
        .with(|run| run.args(["--config", "ui.vim=true"]))
        .start();
    repl.sees("INSERT")
        .keys("first<enter>")
        .sees("One.")
        .ready();
    repl.keys("second<esc>").sees("NORMAL").keys("<enter>");
    repl.sees("Two.");
}

#[test]
fn s0_07_keys_can_be_set() {
    let repl = super::Start::new([])
        .with(|run| run.args(["--config", "ui.keys.home=[\"ctrl+x\", \"-ctrl+a\"]"]))
        .start();
    check(&repl, &[("abc<c-x>", "|abc"), ("<right><c-a>", "a|bc")]);
}

#[test]
fn s0_07_a_bad_key_is_told_and_the_usual_ones_count() {
    let repl = super::Start::new([])
        .with(|run| {
            run.args(["--config", "ui.keys.nosuch=[\"ctrl+x\"]"])
                .args(["--config", "ui.keys.home=[\"ctrl+x\"]"])
        })
        .start();
    repl.sees("`ui.keys`: ");
    check(&repl, &[("abc<c-a>", "|abc"), ("<right><c-x>", "|abc")]);
}

#[test]
fn a_key_costs_few_bytes() {
    let repl = Repl::new([]);
    check(&repl, &[("a draft", "a draft|")]);
    let before = repl.terminal.bytes().len();
    check(&repl, &[("x", "a draftx|")]);
    let drawn = repl.terminal.bytes().split_off(before);
    assert!(drawn.len() < 20, "{:?}", String::from_utf8_lossy(&drawn));
}

/// Terminals that tell keys apart send them in another form, with Caps Lock (64) and Num Lock (128)
/// among what is held.
#[test]
fn s0_02_keys_in_the_form_of_kitty_and_of_xterm() {
    let repl = Repl::new([Turn::text(["One."])]);
    check(
        &repl,
        &[
            ("one two", "one two|"),
            ("\u{1b}[127;3u", "one |"),
            ("\u{1b}[97;5u", "|one"),
            ("\u{1b}[101;133u", "one |"),
            ("\u{1b}[104;69u", "one|"),
            ("\u{1b}[27u", "|"),
            ("\u{1b}[27;129u", "|"),
        ],
    );
    repl.keys("a\u{1b}[13;2ub").typed_rows("a\nb");
    repl.keys("\u{1b}[27;2;13~c").typed_rows("a\nb\nc");
    repl.keys("<enter>").sees("One.").ready();
    repl.keys("\u{1b}[99;133u");
    assert_eq!(repl.terminal.wait_exit(), 130);
}

#[test]
fn s0_10_ctrl_l_clears_the_screen_and_keeps_the_scrollback() {
    let repl = Repl::new([Turn::text(["Words to keep."])]);
    repl.keys("hi<enter>").sees("Words to keep.").ready();
    repl.keys("draft<c-l>");
    repl.terminal
        .wait_until(|screen| !screen.contents().contains("Words"));
    repl.typed("draft").has_said("Words to keep.");
    assert_eq!(repl.terminal.cursor().0, 1);
}

#[test]
fn ctrl_g_writes_in_the_editor() {
    let repl = super::Start::new([Turn::text(["Got it."])])
        .with(|run| run.env("VISUAL", "sh -c 'echo edited >> \"$1\"' sh"))
        .start();
    repl.keys("draft")
        .typed("draft")
        .keys("<c-g>")
        .sees("edited");
    repl.keys("<enter>").sees("Got it.");
    assert!(repl.request(0).contains("draft"), "{}", repl.request(0));
    assert!(repl.request(0).contains("edited"), "{}", repl.request(0));
}

/// Somebody may write for long, and a server does not wait for that.
#[test]
fn the_session_goes_on_while_the_editor_is_open() {
    let editor = "echo the editor is open; read line; echo \"$line\" >> \"$1\"\n";
    let project = pollux_testkit::Project::new().file("editor", editor);
    let gate = pollux_testkit::Gate::new();
    let turn = Turn::text(["Now."]).gate(&gate);
    let turn = turn.and_call("read_file", serde_json::json!({"file_path": "editor"}));
    let repl = super::Start::new([turn, Turn::text(["Done."])])
        .at(project)
        .with(|run| run.env("VISUAL", "sh ./editor"))
        .start();
    repl.keys("go<enter>").sees("Now.").keys("draft<c-g>");
    repl.sees("the editor is open");
    gate.open();
    repl.server.wait_for_requests(2);
    repl.keys("edited<enter>").sees("Done.");
    repl.typed("draftedited");
}

#[test]
fn an_editor_that_fails_is_told_and_the_draft_is_kept() {
    let repl = super::Start::new([])
        .with(|run| run.env("VISUAL", "false"))
        .start();
    repl.keys("draft<c-g>")
        .sees("error: the editor: `false` failed");
    repl.typed("draft");
}

#[test]
fn ctrl_o_shows_a_pasted_block_in_full() {
    let repl = Repl::new([]);
    repl.terminal.paste("one\ntwo\n");
    repl.typed("[copy 2 lines]")
        .keys("<c-o>")
        .typed_rows("one\ntwo");
}

#[test]
fn s0_07_a_misspelt_action_in_the_settings_is_told_with_its_place() {
    let project = pollux_testkit::Project::new();
    let file = project.pollux_home().join("config.toml");
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    let settings = "[ui]\nvim = true\n\n[ui.keys]\nhome = [\"ctrl+x\"]\nHomme = [\"ctrl+t\"]\n";
    std::fs::write(&file, settings).unwrap();
    let place = format!("{}:6: `ui.keys`: keys of `Homme`: ", file.display());
    let repl = super::Start::new([]).at(project).size(40, 200).start();
    repl.has_said(&place).sees("INSERT");
    check(&repl, &[("abc<c-x>", "|abc")]);
    repl.keys("<esc>").sees("NORMAL");
}
