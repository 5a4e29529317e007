//! The user's editor, on the user's terminal.

use std::io;
use std::path::Path;
use std::process::Command;

/// Opens `file` in `editor`, a command such as `code --wait`, and waits until it is closed. False if
/// the editor says that it failed.
///
/// Blocks: whoever drives a session calls it from a thread that may.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where an editor is started"
)]
pub fn edit(editor: &str, file: &Path) -> io::Result<bool> {
    let status = Command::new("sh")
        .args(["-c", &format!("{editor} \"$1\""), "sh"])
        .arg(file)
        .status()?;
    Ok(status.success())
}
