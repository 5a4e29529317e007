//! Code: as it is, without a frame, so that it can be copied.

use crate::highlight::{self, Highlighter};
use crate::line::Line;
use crate::screen::Looks;

use super::reading::Fence;

/// A block of code that is still being written.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// What has to be closed; code that is just indented ends by itself.
    pub(super) fence: Option<Fence>,
    highlighter: Option<Highlighter>,
}

impl Code {
    /// Code between fences.
    pub(super) fn fenced(fence: Fence, looks: Looks) -> Self {
        let language = fence.info().split([' ', ',', '{', ':']).next();
        let language = language.filter(|_| looks.color).unwrap_or_default();
        // Some models name the file instead.
        let extension = || language.rsplit('.').next().and_then(Highlighter::new);
        Self {
            highlighter: Highlighter::new(language).or_else(extension),
            fence: Some(fence),
        }
    }

    /// Code that is indented.
    pub(super) fn indented() -> Self {
        Self {
            fence: None,
            highlighter: None,
        }
    }

    /// The next line.
    pub(super) fn line(&mut self, text: &str) -> Line {
        match &mut self.highlighter {
            Some(highlighter) => highlighter.line(text),
            None => highlight::plain(text),
        }
    }
}
