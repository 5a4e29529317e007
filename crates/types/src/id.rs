//! Names for things that outlive a function call.
//!
//! Each kind of id is its own type, so that a session can never be passed where a call is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the text as it is.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

ids! {
    /// One recorded conversation.
    SessionId,
    /// One user prompt and everything done for it, tool rounds included.
    PromptId,
    /// One tool call; unique within a session.
    CallId,
}

impl PromptId {
    /// The id of the `count`-th prompt of a session.
    pub fn of(session: &SessionId, count: usize) -> Self {
        Self(format!("{session}########{count}"))
    }
}
