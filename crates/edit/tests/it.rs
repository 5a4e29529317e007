//! The crate through its public face.

#![allow(clippy::unwrap_used, reason = "in a test the panic is the report")]

mod it {
    mod blocks;
    mod emacs;
    mod keymap;
    mod properties;
    mod support;
    mod undo;
    mod vim;
    mod wrap;
}
