//! What is so now, for everybody who wants to know, while somebody changes it.

use std::sync::{Arc, Mutex, PoisonError};

/// A value that is shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Current<T>(Arc<Mutex<T>>);

impl<T: Clone> Current<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(Mutex::new(value)))
    }

    pub(crate) fn get(&self) -> T {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        value.clone()
    }

    pub(crate) fn set(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = value;
    }
}
