//! A program in a real terminal: its keys, its screen, its scrollback.
//!
//! The program runs in a pseudo-terminal. A thread reads what it writes into a `vt100` screen and
//! answers the questions that programs put to terminals; tests wait until the screen shows what
//! they expect.
//!
//! Not here: anything about what pollux draws.

mod keys;

use std::fmt;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::Signal;

use crate::watched::Watched;
use crate::{CommandSpec, PATIENCE, child};

/// A program in a terminal of its own. Dropping it kills the program.
///
/// ```
/// # use pollux_testkit::{CommandSpec, Terminal};
/// let term = Terminal::spawn(&CommandSpec::sh("read name; echo hello $name"), 24, 80);
/// term.keys("world<enter>").wait_for("hello world");
/// assert_eq!(term.wait_exit(), 0);
/// ```
pub struct Terminal {
    shared: Arc<Watched<Shared>>,
    master: Box<dyn MasterPty + Send>,
    input: Sender<Vec<u8>>,
    pid: u32,
    reaper: Option<JoinHandle<()>>,
}

/// What the terminal's threads and the test both see.
struct Shared {
    parser: vt100::Parser<Answers>,
    /// All that the program has written.
    bytes: Vec<u8>,
    /// Nobody can write to the screen any more.
    ended: bool,
    code: Option<i32>,
}

/// Lines that have left the screen and are kept.
const SCROLLBACK: usize = 100_000;

impl Terminal {
    /// Starts a program in a new terminal of this size.
    pub fn spawn(spec: &CommandSpec, rows: u16, cols: u16) -> Self {
        let pair = native_pty_system().openpty(size(rows, cols)).unwrap();
        let process = pair.slave.spawn_command(builder(spec)).unwrap();
        // Only the program holds the other side now: when it ends, so does what we read.
        drop(pair.slave);
        let shared = Arc::new(Watched::new(Shared {
            parser: parser(rows, cols),
            bytes: Vec::new(),
            ended: false,
            code: None,
        }));
        let input = writer(pair.master.take_writer().unwrap());
        read(
            pair.master.try_clone_reader().unwrap(),
            &shared,
            input.clone(),
        );
        let pid = process.process_id().expect("a process that runs");
        let told = Arc::clone(&shared);
        let reaper = child::on_exit(pid, move |code| told.update(|all| all.code = Some(code)));
        Self {
            shared,
            master: pair.master,
            input,
            pid,
            reaper: Some(reaper),
        }
    }

    /// Runs a program until it has written `text`, then takes its terminal away, as closing a
    /// window does; gives the exit code as [`Terminal::wait_exit`] does.
    pub fn spawn_and_hang_up(spec: &CommandSpec, text: &str) -> i32 {
        let pair = native_pty_system().openpty(size(24, 80)).unwrap();
        let process = pair.slave.spawn_command(builder(spec)).unwrap();
        drop(pair.slave);
        let (tell, told) = mpsc::channel();
        let pid = process.process_id().expect("a process that runs");
        let waiting = child::on_exit(pid, move |code| {
            // Whoever has given up waiting says so.
            tell.send(code).ok();
        });
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (mut written, mut buffer) = (Vec::new(), [0; 8192]);
        while !String::from_utf8_lossy(&written).contains(text) {
            let count = reader.read(&mut buffer).unwrap();
            written.extend_from_slice(&buffer[..count]);
        }
        drop((reader, pair.master));
        let code = told.recv_timeout(PATIENCE);
        if code.is_err() {
            child::signal_group(pid, Signal::KILL);
        }
        waiting.join().unwrap();
        code.expect("a program whose terminal has gone ends")
    }

    /// Types. Plain characters stand for themselves; keys are written `<enter>` `<esc>` `<tab>`
    /// `<s-tab>` `<up>` `<down>` `<left>` `<right>` `<home>` `<end>` `<pageup>` `<pagedown>` `<bs>`
    /// `<del>` `<space>` `<c-x>` (control) `<a-x>` (alt) `<paste:text>` and `<lt>` for `<`.
    pub fn keys(&self, keys: &str) -> &Self {
        let modes = self.shared.with(|all| keys::Modes::of(all.parser.screen()));
        self.send(keys::encode(keys, modes))
    }

    /// Pastes any text, also such as [`Terminal::keys`] could not write.
    pub fn paste(&self, text: &str) -> &Self {
        let modes = self.shared.with(|all| keys::Modes::of(all.parser.screen()));
        self.send(keys::paste(text, modes))
    }

    /// Waits until the screen has this text; panics with the screen if it does not come. A text
    /// that is wrapped is not found.
    pub fn wait_for(&self, text: &str) -> &Self {
        self.wait(&format!("{text:?}"), |all| all.text().contains(text))
    }

    /// Waits until the screen is as wanted; panics with the screen if that does not happen.
    pub fn wait_until(&self, mut wanted: impl FnMut(&vt100::Screen) -> bool) -> &Self {
        self.wait("what was wanted", |all| wanted(all.parser.screen()))
    }

    /// What is on the screen: rows without white space at their end, as far as the last that is
    /// not blank.
    pub fn screen(&self) -> String {
        self.shared.with(|all| all.text())
    }

    /// All lines that ever left the screen at its top, and then the screen.
    pub fn contents_with_scrollback(&self) -> String {
        self.shared.with(Shared::everything)
    }

    /// As [`Terminal::wait_for`], also where the text has left the screen at its top.
    pub fn wait_for_said(&self, text: &str) -> &Self {
        self.wait(&format!("{text:?}"), |all| all.everything().contains(text))
    }

    /// Every byte that the program has written so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.shared.with(|all| all.bytes.clone())
    }

    /// Waits until the bytes written so far are as wanted; panics with the screen if that does not
    /// happen.
    pub fn wait_for_bytes(&self, mut wanted: impl FnMut(&[u8]) -> bool) -> &Self {
        self.wait("the bytes that were wanted", |all| wanted(&all.bytes))
    }

    /// How the device is set (what `stty -a` tells), to be compared.
    pub fn settings(&self) -> String {
        format!("{:?}", self.master.get_termios())
    }

    /// The program's process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Sends the program and its group a signal.
    pub fn signal(&self, signal: Signal) -> &Self {
        child::signal_group(self.pid, signal);
        self
    }

    /// Row and column of the cursor, counted from 0.
    pub fn cursor(&self) -> (u16, u16) {
        self.shared
            .with(|all| all.parser.screen().cursor_position())
    }

    /// Gives the terminal another size and tells the program.
    pub fn resize(&self, rows: u16, cols: u16) -> &Self {
        let (height, width) = (non_zero(rows), non_zero(cols));
        self.shared.update(|all| all.parser.set_size(height, width));
        self.master.resize(size(rows, cols)).unwrap();
        self
    }

    /// Waits for the program's end, and for that of everything that can write to the terminal;
    /// gives the exit code, 128 plus the signal's number if a signal ended it.
    pub fn wait_exit(&self) -> i32 {
        let code = self.shared.wait(PATIENCE, |all| all.exited());
        code.unwrap_or_else(|| self.give_up("the end"))
    }

    fn send(&self, bytes: Vec<u8>) -> &Self {
        // The writer ends only when the program has; the test will find that out by itself.
        drop(self.input.send(bytes));
        self
    }

    /// Also gives up when nothing more can come.
    fn wait(&self, what: &str, mut wanted: impl FnMut(&mut Shared) -> bool) -> &Self {
        let found = self.shared.wait(PATIENCE, |all| {
            let found = wanted(all);
            (found || all.exited().is_some()).then_some(found)
        });
        if found != Some(true) {
            self.give_up(what);
        }
        self
    }

    fn give_up(&self, what: &str) -> ! {
        let state = match self.shared.with(|all| (all.code, all.ended)) {
            (Some(code), true) => format!("the program exited with code {code}"),
            (Some(code), false) => {
                format!("the program exited with code {code}, but something it started did not")
            }
            (None, _) => "the program still runs".into(),
        };
        let screen = self.screen();
        panic!("waited in vain for {what}; {state}; the screen is\n---\n{screen}\n---");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.shared.with(|all| all.code.is_none()) {
            child::signal_group(self.pid, Signal::KILL);
        }
        if let Some(Err(panicked)) = self.reaper.take().map(JoinHandle::join)
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panicked);
        }
    }
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("pid", &self.pid)
            .field("screen", &self.screen())
            .finish_non_exhaustive()
    }
}

impl Shared {
    /// The exit code, once nothing can change the screen any more.
    fn exited(&self) -> Option<i32> {
        self.code.filter(|_| self.ended)
    }

    fn text(&self) -> String {
        let screen = self.parser.screen();
        trimmed(screen.rows(0, screen.size().1.get()))
    }

    /// What has left the screen, and the screen.
    fn everything(&mut self) -> String {
        let screen = self.parser.screen_mut();
        let mut rows = Vec::new();
        for offset in (1..=screen.scrollback_len()).rev() {
            screen.set_scrollback(offset);
            let top = screen.rows(0, screen.size().1.get()).next();
            rows.extend(top);
        }
        screen.set_scrollback(0);
        rows.extend(screen.rows(0, screen.size().1.get()));
        trimmed(rows.into_iter())
    }
}

fn trimmed(rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n").trim_end().to_owned()
}

/// What a terminal says back when asked. Programs that draw in place need to know the cursor's
/// place, and find out what a terminal can do by asking for its kind last.
#[derive(Default)]
struct Answers(Vec<u8>);

impl vt100::Callbacks for Answers {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        i1: Option<u8>,
        _: Option<u8>,
        params: &[&[u16]],
        c: char,
    ) {
        match (i1, params, c) {
            (None, [[6]], 'n') => {
                let (row, col) = screen.cursor_position();
                self.0
                    .extend(format!("\x1b[{};{}R", row + 1, col + 1).bytes());
            }
            (None, [[5]], 'n') => self.0.extend(b"\x1b[0n"),
            (None, [] | [[0]], 'c') => self.0.extend(b"\x1b[?62;22c"),
            _ => {}
        }
    }
}

/// Reads all that the program writes, on a thread that ends with it.
fn read(mut from: Box<dyn Read + Send>, shared: &Arc<Watched<Shared>>, input: Sender<Vec<u8>>) {
    let shared = Arc::clone(shared);
    std::thread::spawn(move || {
        let mut buffer = [0; 8192];
        // Linux reports the end of a terminal as an error.
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let answers = shared.update(|all| {
                all.parser.process(&buffer[..count]);
                all.bytes.extend_from_slice(&buffer[..count]);
                std::mem::take(&mut all.parser.callbacks_mut().0)
            });
            // As with the keys: whether anybody still reads shows elsewhere.
            drop(input.send(answers));
        }
        shared.update(|all| all.ended = true);
    });
}

/// Writes on a thread, since a program that is busy may leave a long paste waiting.
fn writer(mut to: Box<dyn Write + Send>) -> Sender<Vec<u8>> {
    let (input, keys) = mpsc::channel::<Vec<u8>>();
    std::thread::spawn(move || {
        for bytes in keys {
            if to.write_all(&bytes).is_err() {
                return;
            }
        }
    });
    input
}

fn builder(spec: &CommandSpec) -> CommandBuilder {
    let mut builder = CommandBuilder::new(&spec.program);
    builder.args(&spec.args);
    builder.cwd(&spec.cwd);
    builder.env_clear();
    for (name, value) in &spec.env {
        builder.env(name, value);
    }
    builder
}

fn parser(rows: u16, cols: u16) -> vt100::Parser<Answers> {
    let (rows, cols) = (non_zero(rows), non_zero(cols));
    vt100::Parser::new_with_callbacks(rows, cols, SCROLLBACK, Answers::default())
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        ..PtySize::default()
    }
}

fn non_zero(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has rows and columns")
}

#[cfg(test)]
mod tests;
