//! How things go wrong on a disk, in words a model can act on.

use std::io;
use std::path::Path;

use pollux_types::{ToolError, ToolErrorKind};

use pollux_types::nearest;

/// How many neighbours are looked at for a name that may have been meant.
const NEIGHBOURS: usize = 10_000;

/// The call was stopped by the user.
pub(crate) fn cancelled() -> ToolError {
    ToolError::new(ToolErrorKind::Cancelled, "User cancelled tool execution.")
}

/// `doing` is a verb, as in "cannot `read`"; `shown` is the path as a person names it.
pub(crate) fn failed(doing: &str, shown: &str, error: &io::Error) -> ToolError {
    use ToolErrorKind as Kind;
    let kind = match error.kind() {
        io::ErrorKind::NotFound => Kind::FileNotFound,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Kind::PermissionDenied
        }
        io::ErrorKind::IsADirectory => Kind::TargetIsDirectory,
        io::ErrorKind::NotADirectory => Kind::PathIsNotADirectory,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Kind::NoSpaceLeft,
        _ => Kind::ExecutionFailed,
    };
    ToolError::new(kind, format!("cannot {doing} `{shown}`: {error}"))
}

/// Like [`failed`]; what is not there comes with the name that may have been meant.
pub(crate) fn not_read(path: &Path, shown: &str, error: &io::Error) -> ToolError {
    if error.kind() != io::ErrorKind::NotFound {
        return failed("read", shown, error);
    }
    let hint = neighbour(path).map(|name| format!("; did you mean `{name}`?"));
    let hint = hint.unwrap_or_default();
    ToolError::new(
        ToolErrorKind::FileNotFound,
        format!("`{shown}` does not exist{hint}"),
    )
}

/// A name in the same directory that is nearly the one asked for.
fn neighbour(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let entries = std::fs::read_dir(path.parent()?).ok()?.take(NEIGHBOURS);
    let names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
}
