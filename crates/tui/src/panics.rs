//! A panic must not print into a terminal that is not itself.

use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::{Mutex, PoisonError};

/// What the newest panic had to say.
static NEWEST: Mutex<Option<String>> = Mutex::new(None);

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

/// While this lives, panics are noted instead of printed: those of a tool are told as its result,
/// and what ends the program is printed when this goes.
pub(crate) struct Panics {
    before: Option<Hook>,
}

impl Panics {
    pub(crate) fn hold() -> Self {
        let before = take_hook();
        set_hook(Box::new(|info| note(info.to_string())));
        Self {
            before: Some(before),
        }
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        // Hooks cannot be changed while a panic unwinds.
        if std::thread::panicking() {
            if let Some(said) = newest_panic() {
                use std::io::Write as _;
                writeln!(std::io::stderr(), "{said}").ok();
            }
        } else if let Some(before) = self.before.take() {
            set_hook(before);
        }
    }
}

fn note(said: String) {
    *NEWEST.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
}

/// What the newest panic had to say, if there was one while the REPL ran.
pub fn newest_panic() -> Option<String> {
    NEWEST.lock().unwrap_or_else(PoisonError::into_inner).take()
}
