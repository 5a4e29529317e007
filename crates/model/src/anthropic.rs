//! Anthropic's messages.
//!
//! The whole protocol is in here: nobody above knows of content blocks or cache marks.

mod reply;
mod request;
mod wire;

use std::time::Duration;

use reqwest::Url;

use crate::http::Http;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// The version of the protocol that is spoken here.
const VERSION: &str = "2023-06-01";

/// A model behind `{base}/v1/messages`.
#[derive(Debug)]
pub struct Anthropic {
    info: ModelInfo,
    http: Http,
    url: Url,
    key: Option<String>,
    idle: Duration,
}

impl Anthropic {
    /// Where the provider itself listens.
    pub const BASE_URL: &str = "https://api.anthropic.com";

    /// Opens no connection yet.
    pub fn new(endpoint: Endpoint) -> Result<Self, ModelError> {
        let url = endpoint.url("v1/messages")?;
        let http = Http::new(&url)?;
        Ok(Self {
            info: endpoint.info,
            http,
            url,
            key: endpoint.key,
            idle: endpoint.idle,
        })
    }
}

impl Model for Anthropic {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let body = request::body(&self.info.model, &request);
        let mut post = self.http.post(self.url.clone(), body);
        post = post.header("anthropic-version", VERSION);
        if let Some(key) = &self.key {
            post = post.header("x-api-key", key);
        }
        let reply = reply::AnthropicReply::default();
        self.http.reply(post, reply, self.idle)
    }
}
