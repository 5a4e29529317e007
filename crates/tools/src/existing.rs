//! The file that a writing tool finds in its place.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use pollux_types::{ToolError, ToolErrorKind};

use crate::failure::failed;

/// Bigger files are not loaded.
const LOADED_BYTES: u64 = 20_000_000;

/// A regular file as it was found.
pub(crate) struct Existing {
    pub(crate) metadata: Metadata,
    /// `None` if it is too big to be loaded.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// What is at `target`, if anything; what is not a regular file cannot be written.
pub(crate) fn existing(target: &Path, shown: &str) -> Result<Option<Existing>, ToolError> {
    let metadata = match fs::metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata.map_err(|error| failed("read", shown, &error))?,
    };
    if metadata.is_dir() {
        let message = format!("`{shown}` is a directory");
        return Err(ToolError::new(ToolErrorKind::TargetIsDirectory, message));
    }
    if !metadata.is_file() {
        let message = format!("`{shown}` is not a regular file");
        return Err(ToolError::new(ToolErrorKind::ExecutionFailed, message));
    }
    let bytes = load(target, &metadata).map_err(|error| failed("read", shown, &error))?;
    Ok(Some(Existing { metadata, bytes }))
}

fn load(target: &Path, metadata: &Metadata) -> io::Result<Option<Vec<u8>>> {
    if metadata.len() > LOADED_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(target)?
        .take(LOADED_BYTES)
        .read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
