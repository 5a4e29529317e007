//! Files that the user has forbidden to read.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What a search leaves alone wherever it finds it.
#[derive(Clone, Default)]
pub struct Forbidden(Option<Arc<Forbids>>);

type Forbids = dyn Fn(&Path) -> bool + Send + Sync;

impl Forbidden {
    /// The files for which `is` is true.
    pub fn new(is: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is)))
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        self.0.as_ref().is_some_and(|is| is(path))
    }
}

impl fmt::Debug for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Forbidden").finish_non_exhaustive()
    }
}
