//! Saying at which step something failed.

use std::io;

/// Names the step at which a result came out.
pub(super) trait Step<T> {
    /// The same, with the step in front of what went wrong.
    fn step(self, step: impl AsRef<str>) -> io::Result<T>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: impl AsRef<str>) -> io::Result<T> {
        self.map_err(|error| {
            let error = error.into();
            io::Error::new(error.kind(), format!("{}: {error}", step.as_ref()))
        })
    }
}
