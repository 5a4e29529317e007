//! A change of the text, as data.

use std::ops::Range;

/// Bytes of the text, and what stands there afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced, in bytes of the text before the change.
    pub range: Range<usize>,
    /// What is put there.
    pub text: String,
}

impl Edit {
    /// Puts `text` in place of `range`.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            range,
            text: text.into(),
        }
    }

    /// Puts `text` in at `at`.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at..at, text)
    }

    /// Takes `range` out.
    pub fn delete(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }
}
