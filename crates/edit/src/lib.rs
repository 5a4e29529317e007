//! Text editing without a screen: keys come in, text changes, rows come out.
//!
//! `Text` is the buffer: what is typed, the cursor, pasted blocks, undo and the kill ring. `Keymap`
//! says which `Action` a key is, `Text::perform` does those that are about text, the front end does
//! the others. `Vim` stands before the keymap if the user wants it. Nothing here reads a terminal, a file or a clock.

mod action;
mod atom;
mod clean;
mod edit;
mod grapheme;
mod key;
mod keymap;
mod kill;
mod layout;
mod line;
mod perform;
mod text;
mod undo;
mod vim;
mod word;
mod wrap;

pub use action::{Action, Context};
pub use edit::Edit;
pub use key::{BadKey, Code, Key};
pub use keymap::{BadBinding, Keymap};
pub use text::Text;
pub use vim::{Mode, Press, Vim};
pub use wrap::Row;
