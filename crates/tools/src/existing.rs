//! The file that a writing tool finds in its place.

use std::fs::{File, Metadata};
use std::io::{self, Read};

use pollux_types::{ToolError, ToolErrorKind};
use rustix::fs::{FileType, OFlags};

use crate::Located;
use crate::failure::failed;
use crate::place::Place;

/// Bigger files are not loaded.
const LOADED_BYTES: u64 = 20_000_000;

/// A regular file as it was found.
pub(crate) struct Existing {
    pub(crate) metadata: Metadata,
    /// `None` if it is too big to be loaded.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// What is at `target`, if anything; what is not a regular file cannot be written.
pub(crate) fn existing(target: &Located, shown: &str) -> Result<Option<Existing>, ToolError> {
    match open(target, shown)? {
        None => Ok(None),
        Some(file) => {
            let existing = load(&file).map_err(|error| failed("read", shown, &error))?;
            Ok(Some(existing))
        }
    }
}

/// The regular file at `target`, if anything is there.
pub(crate) fn open(target: &Located, shown: &str) -> Result<Option<File>, ToolError> {
    let place = Place::find(&target.real);
    // Opening a pipe or a device could block for ever, or do something.
    let found = place.and_then(|place| Ok((place.file_type()?, place)));
    let (kind, place) = match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(|error| failed("read", shown, &error))?,
    };
    match kind {
        FileType::RegularFile => match place.open(OFlags::RDONLY) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened
                .map(Some)
                .map_err(|error| failed("read", shown, &error)),
        },
        FileType::Directory => {
            let message = format!("`{shown}` is a directory");
            Err(ToolError::new(ToolErrorKind::TargetIsDirectory, message))
        }
        _ => {
            let message = format!("`{shown}` is not a regular file");
            Err(ToolError::new(ToolErrorKind::ExecutionFailed, message))
        }
    }
}

fn load(file: &File) -> io::Result<Existing> {
    let metadata = file.metadata()?;
    if metadata.len() > LOADED_BYTES {
        let bytes = None;
        return Ok(Existing { metadata, bytes });
    }
    let mut bytes = Vec::new();
    file.take(LOADED_BYTES).read_to_end(&mut bytes)?;
    let bytes = Some(bytes);
    Ok(Existing { metadata, bytes })
}
