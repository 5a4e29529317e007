//! Where a model is and how to get in.

use std::fmt;
use std::time::Duration;

use reqwest::Url;

use crate::{ErrorKind, ModelError, ModelInfo};

/// How long a server may be silent before a reply is given up.
pub const DEFAULT_IDLE: Duration = Duration::from_mins(5);

/// Everything a protocol needs to know about a server.
#[derive(Clone)]
pub struct Endpoint {
    /// The names to show, and the model to ask for.
    pub info: ModelInfo,
    /// The server's address, up to what the protocol appends.
    pub base_url: String,
    /// The credential; local servers need none.
    pub key: Option<String>,
    /// How long the server may be silent.
    pub idle: Duration,
}

impl Endpoint {
    /// The address of `path` below the base URL.
    pub(crate) fn url(&self, path: &str) -> Result<Url, ModelError> {
        let base = self.base_url.trim_end_matches('/');
        let bad = |why: String| {
            let message = format!("base URL `{}`: {why}", self.base_url);
            ModelError::new(ErrorKind::BadRequest, message)
        };
        let url = Url::parse(&format!("{base}/{path}")).map_err(|error| bad(error.to_string()))?;
        match url.scheme() {
            "http" | "https" => Ok(url),
            other => Err(bad(format!("`{other}` is neither http nor https"))),
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key stays out of every log and panic message.
        f.debug_struct("Endpoint")
            .field("info", &self.info)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}
