//! A text in the user's editor.

use std::io::{self, Write as _};

use pollux_types::untrusted::visible;

use crate::environment::Environment;

/// What opens a file for the user.
pub(crate) fn of(environment: &Environment) -> String {
    let mut set = ["VISUAL", "EDITOR"].into_iter();
    let set = set.find_map(|name| environment.var(name));
    set.unwrap_or("vi").to_owned()
}

/// Lets the user change a text, which has the terminal meanwhile; `None` if it stays as it is. The
/// editor goes by the ending of the name.
pub(crate) fn edited(editor: &str, content: &str, name: &str) -> io::Result<Option<String>> {
    let mut file = tempfile::Builder::new()
        .prefix("pollux-")
        .suffix(&format!("-{}", visible(name)))
        .tempfile()?;
    file.write_all(content.as_bytes())?;
    file.flush()?;
    if !pollux_exec::edit(editor, file.path())? {
        return Err(io::Error::other(format!("`{editor}` failed")));
    }
    let new = std::fs::read_to_string(file.path())?;
    Ok((new != content).then_some(new))
}
