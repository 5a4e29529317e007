//! The user's editor, on the user's terminal.

use std::io;
use std::path::Path;
use std::process::Command;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_current_process_group, waitpid};

/// Opens `file` in `editor`, a command such as `code --wait`, and waits until it is closed. False if
/// the editor says that it failed.
///
/// Blocks: whoever drives a session calls it from a thread that may.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where an editor is started"
)]
pub fn edit(editor: &str, file: &Path) -> io::Result<bool> {
    // Ctrl+C is for the editor, and not for the shell that waits for it.
    let script = format!("trap : INT; {editor} \"$1\"");
    let editor = Command::new("sh")
        .args(["-c", &script, "sh"])
        .arg(file)
        .spawn()?;
    let editor = Pid::from_child(&editor);
    loop {
        match waitpid(Some(editor), WaitOptions::UNTRACED) {
            // Ctrl+Z is for the whole job: the shell waits for us, and not for the editor.
            Ok(Some((_, status))) if status.stopped() => kill_current_process_group(Signal::STOP)?,
            Ok(Some((_, status))) => return Ok(status.exit_status() == Some(0)),
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
