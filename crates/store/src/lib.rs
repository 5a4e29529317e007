//! What survives a restart.
//!
//! Only this crate writes under pollux's home directory. Today that is the session log: one
//! append-only file of JSON lines for each conversation.
//!
//! **Invariant:** what [`SessionLog::append`] has returned from survives the end of the process, and
//! what [`Sync::wait`] has returned from survives a power cut.

mod home;
mod session;

pub use home::Home;
pub use session::entry::{Entry, Header};
pub use session::list::{FindError, Found, find, list};
pub use session::log::{LogError, SessionLog, Sync};
pub use session::replay::{Damage, Replay, replay};
