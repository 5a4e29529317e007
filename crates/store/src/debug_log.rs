//! What pollux does, for whoever looks for a defect: a file that never grows large.

use std::fs::File;
use std::io::{self, Write};

use crate::Home;
use crate::private;

/// Beyond so many bytes it begins anew.
const LARGEST: u64 = 4 << 20;

/// The file. Every pollux of the user writes at its end.
#[derive(Debug)]
pub struct DebugLog {
    file: File,
}

impl DebugLog {
    /// Opens it, for the user alone.
    pub fn open(home: &Home) -> io::Result<Self> {
        let path = home.debug_log();
        private::create_dir(home.path())?;
        let file = private::append_to(&path)?;
        Ok(Self { file })
    }
}

impl Write for DebugLog {
    /// Takes all of it, which is a line.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let more = u64::try_from(line.len()).unwrap_or(u64::MAX);
        if self.file.metadata()?.len().saturating_add(more) > LARGEST {
            self.file.set_len(0)?;
        }
        self.file.write_all(line)?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn it_is_private_and_begins_anew_before_it_is_large() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::new(dir.path().join("home"));
        let line = [&[b'x'; 1023][..], b"\n"].concat();
        let mut logs = [(); 3].map(|()| DebugLog::open(&home).unwrap());
        for _ in 0..2000 {
            for log in &mut logs {
                log.write_all(&line).unwrap();
            }
        }
        let metadata = std::fs::metadata(home.debug_log()).unwrap();
        assert_eq!(metadata.len(), 6000 * 1024 - LARGEST);
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
}
