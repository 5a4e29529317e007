//! What the user asks for, when it does not come from a keyboard.

use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::time::Duration;

use pollux_types::Part;
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::args::Args;
use crate::failure::Failure;

/// More than any model reads at once.
const MAX_STDIN: u64 = 8 * 1024 * 1024;

/// How long a prompt that is already there waits for the first byte of other input. A service may
/// have left its input open without ever writing to it.
const FIRST_BYTE: Duration = Duration::from_millis(500);

/// What a headless run answers.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    /// What the user says.
    typed: String,
    /// What is piped in besides, which may be anybody's words: an `@` in it names no file.
    piped: String,
}

impl Prompt {
    /// All of it.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.typed, self.piped)
    }

    pub(crate) fn into_parts(self) -> Vec<Part> {
        let parts = [self.typed, self.piped].into_iter();
        parts
            .filter(|text| !text.is_empty())
            .map(Part::Text)
            .collect()
    }
}

/// The prompt of a headless run: the given text, piped input, or both.
pub(crate) fn prompt(args: &Args) -> Result<Prompt, Failure> {
    let given = args.prompt.as_deref().or(args.words.as_deref());
    let piped = match given {
        Some(_) if std::io::stdin().is_terminal() => String::new(),
        Some(_) if is_silent() && !is_piped_into() => {
            note("standard input is open but sends nothing; going on without it");
            String::new()
        }
        _ => read_stdin()?,
    };
    let (typed, piped) = match given {
        Some(given) if piped.trim().is_empty() => (given.to_owned(), String::new()),
        Some(given) => (given.to_owned(), format!("\n\n{piped}")),
        None => (piped, String::new()),
    };
    let prompt = Prompt { typed, piped };
    if prompt.text().trim().is_empty() {
        let failure = Failure::input("there is no prompt");
        return Err(failure.hint("give one with `-p TEXT`, or pipe it in"));
    }
    Ok(prompt)
}

/// Whether nothing can be read for a while, not even the end.
fn is_silent() -> bool {
    let stdin = std::io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = Timespec::try_from(FIRST_BYTE).ok();
    matches!(rustix::event::poll(&mut fds, timeout.as_ref()), Ok(0))
}

/// Whether some program's output goes into our input: then it is worth waiting for, however long
/// that program takes to say something.
fn is_piped_into() -> bool {
    let link = |process: &Path, fd: &str| std::fs::read_link(process.join("fd").join(fd)).ok();
    let Some(pipe) = link(Path::new("/proc/self"), "0") else {
        return false;
    };
    if !pipe.to_string_lossy().starts_with("pipe:") {
        return false;
    }
    let own = std::process::id();
    let others = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    others
        .filter(|entry| {
            let id = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse::<u32>().ok());
            id.is_some_and(|id| id != own)
        })
        .any(|entry| {
            ["1", "2"]
                .iter()
                .any(|fd| link(&entry.path(), fd).as_ref() == Some(&pipe))
        })
}

fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(MAX_STDIN + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| Failure::input(format!("reading standard input: {error}")))?;
    if bytes.len() as u64 > MAX_STDIN {
        let message = format!("standard input is larger than {} MiB", MAX_STDIN >> 20);
        return Err(Failure::input(message).hint("name the file in the prompt instead"));
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
        note("standard input is not valid UTF-8; what cannot be read is replaced");
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    }))
}

fn note(text: &str) {
    // There may be nobody to tell.
    writeln!(std::io::stderr(), "note: {text}").ok();
}
