//! Servers that speak OpenAI's chat completions.
//!
//! The whole protocol is in here: nobody above knows of `choices`, `delta` or `tool_calls`.

mod calls;
mod reply;
mod request;
mod wire;

use std::time::Duration;

use reqwest::Url;

use crate::http::Http;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// A model behind `{base}/chat/completions`.
#[derive(Debug)]
pub struct OpenAi {
    info: ModelInfo,
    http: Http,
    url: Url,
    key: Option<String>,
    idle: Duration,
}

impl OpenAi {
    /// Where the provider itself listens.
    pub const BASE_URL: &str = "https://api.openai.com/v1";

    /// Opens no connection yet.
    pub fn new(endpoint: Endpoint) -> Result<Self, ModelError> {
        let url = endpoint.url("chat/completions")?;
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

impl Model for OpenAi {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let body = request::body(&self.info.model, &request);
        let mut post = self.http.post(self.url.clone(), body);
        if let Some(key) = &self.key {
            post = post.bearer_auth(key);
        }
        self.http
            .reply(post, reply::OpenAiReply::default(), self.idle)
    }
}
