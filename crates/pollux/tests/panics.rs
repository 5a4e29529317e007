//! A REPL that panics gives the terminal back, and says what happened when it has.
//!
//! Nothing in pollux panics when asked to. So this is a program of its own: started by itself in a
//! terminal, with a program around the REPL, or an agent behind it, that is broken.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "panics are what this is about"
)]

#[path = "it/repl/itself.rs"]
mod itself;

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use pollux_testkit::{CommandSpec, Terminal};
use pollux_tui::app::{Start, Status};
use pollux_tui::attention::{Attention, Call};
use pollux_tui::complete::Place;
use pollux_tui::completer::Sources;
use pollux_tui::composer::Composer;
use pollux_tui::program::{Answering, Choice, Choices, Choosing, Edited, Inquiry, Program};
use pollux_tui::run::{End, Repl, run};
use pollux_tui::screen::{Looks, Rewrap};
use pollux_tui::{Keymap, newest_panic};
use pollux_types::{Command, Event};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// How often each way of ending is tried.
const TIMES: usize = 10;

/// The exit code of a program that panics.
const PANICKED: i32 = 101;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("repl") {
        return serve();
    }
    for _ in 0..TIMES {
        ends("/tools<enter>", PANICKED, "the program is broken");
        ends("draft<c-g>", PANICKED, "the editor is broken");
        ends("go<enter>", 1, "the agent is broken");
    }
    ExitCode::SUCCESS
}

/// Presses keys that make it panic, and looks at what is left.
fn ends(keys: &str, code: i32, said: &str) {
    let this = std::env::current_exe().expect("a program that runs");
    let script = "read before; '{}' repl; echo code=$?; read after";
    let spec = CommandSpec::sh(script.replace("{}", &this.display().to_string()));
    let terminal = Terminal::spawn(&spec, 24, 100);
    let found = terminal.settings();
    terminal.keys("<enter>").wait_for("model: mock").keys(keys);
    itself::is_itself(&terminal, &found, code);
    let shown = terminal.screen();
    let begins_a_line =
        |line: &str| line.starts_with("panicked at") || line.contains("' panicked at");
    assert!(shown.lines().any(begins_a_line), "{shown}");
    assert!(shown.contains(said), "{shown}");
    assert!(
        !shown.contains("model: mock\n[build] /somewhere> \n"),
        "{shown}"
    );
}

/// The REPL, in the middle of what is broken.
fn serve() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let ended = runtime.expect("a runtime").block_on(async {
        let (commands, inbox) = mpsc::channel(8);
        let (outbox, events) = mpsc::channel(8);
        let mut tasks = JoinSet::new();
        tasks.spawn(agent(inbox, outbox));
        run(repl(commands, events)).await
    });
    match ended {
        Ok((End::AgentGone, _)) => {
            let why = newest_panic().unwrap_or_default();
            writeln!(io::stderr(), "{why}").ok();
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

async fn agent(mut inbox: mpsc::Receiver<Command>, _outbox: mpsc::Sender<Event>) {
    inbox.recv().await;
    panic!("the agent is broken");
}

struct Broken;

impl Program for Broken {
    fn answer(&self, _: Inquiry) -> Answering<'_> {
        Box::pin(async { panic!("the program is broken") })
    }

    fn edit(&self, _: &str, _: &str) -> Edited<'_> {
        Box::pin(async { panic!("the editor is broken") })
    }

    fn choices(&self, _: Choices) -> Vec<Choice> {
        Vec::new()
    }

    fn more_choices(&self, _: Choices) -> Option<Choosing<'_>> {
        None
    }
}

fn repl(commands: mpsc::Sender<Command>, events: mpsc::Receiver<Event>) -> Repl<'static> {
    let sources = Sources {
        place: Place {
            root: "/".into(),
            home: None,
        },
        walk: pollux_tools::walk_shown,
        path: None,
        more: Arc::default(),
        resources: false,
    };
    Repl {
        commands,
        events,
        program: &Broken,
        start: Start {
            status: Status {
                cwd: "/somewhere".to_owned(),
                model: "mock".to_owned(),
                ..Status::default()
            },
            composer: Composer::new(Keymap::default(), sources),
        },
        looks: Looks {
            color: true,
            links: true,
            rewrap: Rewrap::Yes,
            synchronized: true,
        },
        attention: Attention::new(Call::Off, true),
        more: Arc::default(),
        first: None,
    }
}
