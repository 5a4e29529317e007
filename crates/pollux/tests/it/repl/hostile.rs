//! Text from outside never speaks to the terminal, wherever it is shown.
//!
//! Each place gets all of [`PAYLOADS`]. What is written to the terminal is read byte by byte: only
//! sequences that pollux writes itself may be there, and nothing of the payloads.

use pollux_testkit::{HttpReply, ModelServer, Project, Protocol, Turn};
use serde_json::json;

use super::super::support::talking_to;
use super::{Repl, Start};

/// What somebody might send. `PWNED` and 7777 are in nothing that pollux writes by itself.
const PAYLOADS: [&str; 30] = [
    "\u{1b}]52;c;UFdORUQ=\u{7}",
    "\u{1b}]52;c;UFdORUQ=\u{1b}\\",
    "\u{1b}]0;PWNED\u{7}",
    "\u{1b}]2;PWNED\u{1b}\\",
    "\u{1b}]8;;http://PWNED\u{1b}\\x\u{1b}]8;;\u{1b}\\",
    "\u{1b}]9;PWNED\u{7}",
    "\u{1b}]777;notify;PWNED;PWNED\u{7}",
    "\u{1b}]1337;File=PWNED\u{7}",
    "\u{1b}]4;1;PWNED\u{7}",
    "\u{1b}[6n",
    "\u{1b}[c",
    "\u{1b}[>c",
    "\u{1b}[?7777h",
    "\u{1b}[?1049h",
    "\u{1b}[?1000h",
    "\u{1b}[2J\u{1b}[7777;1H",
    "\u{1b}[38;5;7777m",
    "\u{1b}[20t\u{1b}[21t",
    "\u{1b}[7777A\u{1b}[K",
    "\u{1b}P$qPWNED\u{1b}\\",
    "\u{1b}_GPWNED\u{1b}\\",
    "\u{1b}^PWNED\u{1b}\\",
    "\u{1b}c",
    "\u{1b}(0\u{e}",
    "\u{9b}7777m",
    "\u{9d}2;PWNED\u{9c}",
    "\u{90}PWNED\u{9c}",
    "\u{7}\u{8}\u{c}\u{b}\u{85}",
    "\u{202e}PWNED\u{202c}\u{2066}\u{2069}",
    "\u{200b}\u{feff}\u{ad}\u{e0041}\u{200f}",
];

/// All payloads, each between two marks.
fn all(separator: &str) -> String {
    let marked = PAYLOADS.iter().enumerate();
    let marked = marked.map(|(number, payload)| format!("m{number:02}<{payload}>"));
    marked.collect::<Vec<_>>().join(separator)
}

/// One sequence that pollux may write at the start of `text`, and how long it is.
fn own_sequence(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\u{1b}')?;
    if let Some(parameters) = rest.strip_prefix('[') {
        let end = parameters.find(|c: char| ('@'..='~').contains(&c))?;
        // Titles are kept and given back, and never asked for.
        let known = "ABCDGHJKmhlu".contains(&parameters[end..=end])
            || ["22;0t", "23;0t"].contains(&&parameters[..=end]);
        return known.then_some(end + 3);
    }
    if rest.starts_with("]2;") || rest.starts_with("]8;;") {
        return text.find("\u{1b}\\").map(|end| end + 2);
    }
    None
}

/// Checks all that was written to a terminal.
fn is_harmless(repl: &Repl) {
    let bytes = repl.terminal.bytes();
    let text = String::from_utf8(bytes).expect("no bytes that are no text");
    for payload in PAYLOADS {
        assert!(!text.contains(payload), "{payload:?} came through");
    }
    let mut rest = text.as_str();
    let mut printed = String::new();
    while let Some(c) = rest.chars().next() {
        if c != '\u{1b}' {
            printed.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let length = own_sequence(rest);
        let length =
            length.unwrap_or_else(|| panic!("not pollux's: {:?}", &rest[..rest.len().min(40)]));
        let sequence = &rest[..length];
        let is_title = sequence.starts_with("\u{1b}]2;pollux: ");
        assert!(
            is_title || !sequence.contains("PWNED") && !sequence.contains("7777"),
            "{sequence:?}"
        );
        rest = &rest[length..];
    }
    let is_bad = |c: char| {
        let hidden = "\u{202e}\u{202c}\u{2066}\u{2069}\u{200b}\u{feff}\u{ad}\u{e0041}\u{200f}";
        (c.is_control() && !"\r\n\u{8}".contains(c)) || hidden.contains(c)
    };
    if let Some(bad) = printed.find(is_bad) {
        panic!(
            "{:?} in {:?}",
            printed[bad..].chars().next(),
            &printed[bad.saturating_sub(60)..bad]
        );
    }
}

/// Waits until the last payload is on the screen, spelled out, and checks everything.
fn check(repl: &Repl) {
    repl.has_said("m29<\\u{200b}");
    is_harmless(repl);
}

#[test]
fn r39_the_answer_of_a_model() {
    let repl = Start::new([Turn::text([all("\n\n")])])
        .size(40, 120)
        .start();
    repl.keys("go<enter>");
    check(&repl);
}

#[test]
fn r39_the_answer_of_a_model_in_code_and_cut_anywhere() {
    let code = format!(
        "```\n{}\n```\n\n| a |\n|---|\n| {} |\n",
        all("\n"),
        PAYLOADS[3]
    );
    let pieces = code.chars().map(String::from);
    let repl = Start::new([Turn::text(pieces)]).size(40, 120).start();
    repl.keys("go<enter>");
    check(&repl);
}

#[test]
fn r39_links_of_a_model() {
    let links = PAYLOADS.iter().map(|payload| {
        let payload = payload.replace(['<', '>', ' '], "");
        format!("[{payload}](http://x/{payload}) <http://y/{payload}>\n\n")
    });
    let links: String = links.collect();
    let repl = Start::new([Turn::text([links + "m29<\u{200b}"])])
        .size(40, 120)
        .start();
    repl.keys("go<enter>");
    check(&repl);
}

#[test]
fn r39_thoughts() {
    let turn = Turn::text(["Thought."]).thought(format!("**{}** {}", PAYLOADS[2], all("\n")));
    let repl = Start::new([turn]).size(40, 120).start();
    repl.keys("go<enter>");
    check(&repl);
}

#[test]
fn r39_what_a_tool_prints() {
    let project = Project::new().file("hostile", all("\n") + "\n");
    // Only 20 lines are shown of a result: so all are in one.
    let one_line = Turn::call(
        "run_shell_command",
        json!({"command": "tr '\\n' ' ' < hostile"}),
    );
    let live = Turn::call(
        "run_shell_command",
        json!({"command": "cat hostile; printf '%b' '\\0233\\0220\\0377'; cat hostile >&2"}),
    );
    let repl = Start::new([one_line, live, Turn::text(["Done."])])
        .at(project)
        .size(60, 120)
        .with(|run| run.args(["-y"]))
        .start();
    repl.keys("go<enter>").sees("Done.");
    check(&repl);
}

#[test]
fn r39_what_a_command_of_ones_own_prints() {
    let project = Project::new().file("hostile", all(" "));
    let repl = Start::new([]).at(project).size(60, 120).start();
    repl.keys("! cat hostile; cat hostile >&2<enter>")
        .sees("stderr:");
    check(&repl);
}

#[test]
fn r39_names_of_files_and_tools() {
    let names = PAYLOADS.iter().enumerate().map(|(number, payload)| {
        let name = format!("m{number:02}<{payload}>");
        Turn::call("read_file", json!({"file_path": name}))
            .and_call(format!("tool{payload}"), json!({"a": payload}))
    });
    let repl = Start::new(names.chain([Turn::text(["Done."])]))
        .size(60, 120)
        .start();
    repl.keys("go<enter>").has_said("Done.");
    check(&repl);
}

#[test]
fn r39_files_in_menus() {
    let names = PAYLOADS
        .iter()
        .filter(|payload| !payload.contains('/'))
        .enumerate();
    let harmless = Project::new().file("menu-harmless", "");
    let project = names.fold(harmless, |project, (number, payload)| {
        project.file(format!("menu{number:02}<{payload}>"), "")
    });
    let repl = Start::new([]).at(project).size(60, 120).start();
    // What cannot be typed is not suggested.
    repl.keys("@menu").sees("> menu-harmless").keys("<tab>");
    is_harmless(&repl);
    repl.keys("<c-u>! cat menu<tab>")
        .typed("! cat menu-harmless");
    is_harmless(&repl);
}

#[test]
fn r39_proposed_changes_and_commands() {
    let write = json!({"file_path": format!("new{}", PAYLOADS[2]), "content": all("\n")});
    let run = json!({"command": format!("touch made # {}", all(" ")), "description": all(" ")});
    let turns = [
        Turn::call("write_file", write),
        Turn::call("run_shell_command", run),
        Turn::text(["Done."]),
    ];
    let repl = Start::new(turns).size(60, 120).start();
    repl.keys("go<enter>").sees("write it?").has_said("m29<");
    is_harmless(&repl);
    repl.keys("y<enter>").sees("$ touch made");
    repl.sees("run it?").keys("n<enter>");
    check(&repl);
}

#[test]
fn r39_what_servers_complain_about() {
    let body = json!({"error": {"message": all("\n"), "type": PAYLOADS[1], "code": PAYLOADS[2]}});
    let (project, server) = (
        Project::new(),
        ModelServer::start(vec![HttpReply::json(400, body)]),
    );
    let spec = talking_to(&project, &server, Protocol::OpenAi).command_spec();
    let terminal = pollux_testkit::Terminal::spawn(&spec, 60, 120);
    let repl = Repl {
        project,
        server,
        terminal,
    };
    repl.sees("model: mock")
        .keys("go<enter>")
        .sees("error: ")
        .ready();
    repl.has_said("m00<\\e]52");
    is_harmless(&repl);
}

#[test]
fn r39_names_of_models_and_directories() {
    let directory = format!("dir{}", PAYLOADS[3].replace('/', ""));
    let project = Project::new().dir(&directory);
    let inside = project.at(&directory).display().to_string();
    let server = ModelServer::responding(|request| match request.path.as_str() {
        "/models" => HttpReply::status(404),
        _ => Turn::text(["Hello."]).reply(Protocol::OpenAi),
    });
    let repl = Start::new([])
        .served_by(server)
        .at(project)
        .size(60, 120)
        .with(move |run| run.args(["-C", &inside]))
        .begin();
    repl.sees("dir\\e]2;PWNED");
    repl.terminal
        .paste(&format!("/model {}", all("").replace(['\u{1b}', '/'], "")));
    repl.keys("<enter>")
        .keys("hi<enter>")
        .sees("Hello.")
        .ready();
    repl.keys("/model<enter>").has_said("m29<");
    is_harmless(&repl);
    repl.quit();
    is_harmless(&repl);
}

#[test]
fn r39_what_is_typed_and_what_was_said_before() {
    let repl = Start::new([Turn::text([all("\n\n")])])
        .size(60, 120)
        .start();
    let typed = all(" ").replace('\u{1b}', "ESC");
    repl.terminal.paste(&typed.replace('\u{e0041}', ""));
    repl.keys("<enter>").ready();
    repl.quit();
    is_harmless(&repl);
    let again = Start::new([])
        .at(repl.project)
        .size(60, 120)
        .with(|run| run.args(["-c"]))
        .start();
    check(&again);
    again.keys("/sessions<enter>").ready();
    is_harmless(&again);
}
