//! A terminal's other end: it keeps what is written to it.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// What was written since it was last taken, a piece for each write.
#[derive(Clone, Debug, Default)]
pub(super) struct Tape(Rc<RefCell<Vec<Vec<u8>>>>);

impl Tape {
    /// The bytes of the one write there was; nothing if there was none.
    pub(super) fn take(&self) -> Vec<u8> {
        let mut writes = self.0.take();
        assert!(writes.len() <= 1, "{} writes for one change", writes.len());
        writes.pop().unwrap_or_default()
    }
}

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
