//! The REPL in a real terminal, one file for each part of what it must do.
//!
//! Names of tests begin with the requirement that they hold: `s3_02` is the second of the document
//! on the REPL, `d3` the third decision.

mod approval;
mod colours;
mod commands;
mod completion;
mod errors;
mod hostile;
mod input;
mod interruption;
mod itself;
mod keys;
mod mcp;
mod memory;
mod modes;
mod output;
mod prompt;
mod questions;
mod resize;
mod restore;
mod screens;
mod sessions;
mod skills;
mod slash;
mod status;
mod todos;

use pollux_testkit::{ModelServer, Pollux, Project, Protocol, Terminal, Turn};

use super::support::talking_to;

/// A REPL at its prompt, the project it works in and the model it talks to.
pub(crate) struct Repl {
    pub(crate) project: Project,
    pub(crate) server: ModelServer,
    pub(crate) terminal: Terminal,
}

/// How to start one.
pub(crate) struct Start {
    project: Project,
    server: ModelServer,
    more: Box<dyn FnOnce(Pollux) -> Pollux>,
    colors: bool,
    size: (u16, u16),
}

impl Repl {
    /// In an empty project, with a model that says these.
    pub(crate) fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Start::new(turns).start()
    }

    /// Types, as [`Terminal::keys`] has it.
    pub(crate) fn keys(&self, keys: &str) -> &Self {
        self.terminal.keys(keys);
        self
    }

    /// Waits until the screen shows this text.
    pub(crate) fn sees(&self, text: &str) -> &Self {
        self.terminal.wait_for(text);
        self
    }

    /// Waits until the screen shows this text, or has shown it before it scrolled.
    pub(crate) fn has_said(&self, text: &str) -> &Self {
        self.terminal.wait_for_said(text);
        self
    }

    /// Waits until what is typed is exactly this.
    pub(crate) fn typed(&self, text: &str) -> &Self {
        let end = format!("> {text}");
        let wanted = end.trim_end();
        self.terminal
            .wait_until(|screen| input(screen).is_some_and(|line| line.ends_with(wanted)));
        self
    }

    /// Waits until what is typed is this, which has several lines.
    pub(crate) fn typed_rows(&self, text: &str) -> &Self {
        self.terminal.wait_until(|screen| {
            let contents = screen.contents();
            let prompt = contents.rfind("[build] ").or(contents.rfind("[plan] "));
            let typed = prompt.and_then(|at| contents[at..].split_once("> "));
            let lines = typed.map(|(_, typed)| typed.lines().map(str::trim_end));
            lines.is_some_and(|lines| lines.collect::<Vec<_>>().join("\n").trim_end() == text)
        });
        self
    }

    /// Waits until nothing runs and nothing is typed.
    pub(crate) fn ready(&self) -> &Self {
        self.terminal.wait_until(|screen| {
            let waits = input(screen).is_some_and(|line| line.ends_with('>'));
            waits && !screen.contents().contains("esc to cancel")
        });
        self
    }

    /// Leaves, and checks that it goes well.
    pub(crate) fn quit(&self) {
        self.keys("/quit<enter>");
        assert_eq!(self.terminal.wait_exit(), 0, "{}", self.terminal.screen());
    }

    /// The last words that the model was sent, in request `number`.
    pub(crate) fn request(&self, number: usize) -> String {
        let requests = self.server.wait_for_requests(number + 1);
        requests[number].text().to_owned()
    }
}

/// The line in which the cursor stands.
fn input(screen: &pollux_testkit::vt100::Screen) -> Option<String> {
    let (row, _) = screen.cursor_position();
    let width = screen.size().1.get();
    let line = screen.rows(0, width).nth(usize::from(row))?;
    Some(line.trim_end().to_owned())
}

impl Start {
    /// In an empty project, with a model that says these.
    pub(crate) fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self {
            project: Project::new(),
            server: ModelServer::speaking(Protocol::OpenAi, turns),
            more: Box::new(|run| run),
            colors: false,
            size: (40, 100),
        }
    }

    /// In this project.
    pub(crate) fn at(mut self, project: Project) -> Self {
        self.project = project;
        self
    }

    /// With this server.
    pub(crate) fn served_by(mut self, server: ModelServer) -> Self {
        self.server = server;
        self
    }

    /// With more arguments or variables.
    pub(crate) fn with(mut self, more: impl FnOnce(Pollux) -> Pollux + 'static) -> Self {
        self.more = Box::new(more);
        self
    }

    /// In colours.
    pub(crate) fn colors(mut self) -> Self {
        self.colors = true;
        self
    }

    /// On so many rows and columns.
    pub(crate) fn size(mut self, rows: u16, columns: u16) -> Self {
        self.size = (rows, columns);
        self
    }

    /// Starts it and waits until the session has begun: then it has counted what it begins with.
    pub(crate) fn start(self) -> Repl {
        let repl = self.begin();
        repl.terminal.wait_until(|screen| {
            let contents = screen.contents();
            let begun = contents.contains("model: mock") && !contents.contains("context: 0 tokens");
            begun && contents.contains("\n[")
        });
        repl
    }

    /// Starts it and waits for nothing.
    pub(crate) fn begin(self) -> Repl {
        let run = (self.more)(talking_to(&self.project, &self.server, Protocol::OpenAi));
        let mut spec = run.command_spec();
        if self.colors {
            spec.env.remove("NO_COLOR");
        }
        let terminal = Terminal::spawn(&spec, self.size.0, self.size.1);
        Repl {
            project: self.project,
            server: self.server,
            terminal,
        }
    }
}
