//! What survives a restart.
//!
//! Only this crate touches pollux's home directory: the settings, the folders that are trusted, and
//! the session log, one append-only file of JSON lines for each conversation.
//!
//! **Invariant:** what [`SessionLog::append`] has returned from survives the end of the process, and
//! what [`Sync::wait`] has returned from survives a power cut.

mod debug_log;
mod home;
pub mod memory;
mod place;
mod private;
pub mod rules;
mod session;
pub mod settings;
pub mod skills;
#[cfg(test)]
mod testing;
pub mod trust;

pub use debug_log::DebugLog;
pub use home::Home;
pub use session::entry::{Answering, Entry, Header};
pub use session::list::{FindError, Found, find, list, session_name};
pub use session::log::{LogError, SessionLog, Sync};
pub use session::replay::{Damage, Replay, replay};
pub use settings::{
    McpServerSettings, NotificationSetting, Price, PromptSetting, ProviderSettings, Settings,
    ThemeSetting,
};
