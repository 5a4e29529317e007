//! Gemini's own protocol.
//!
//! The whole protocol is in here: nobody above knows of `candidates` or `functionDeclarations`.

mod reply;
mod request;
mod wire;

use std::time::Duration;

use reqwest::Url;

use crate::http::Http;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// A model behind `{base}/v1beta/models/{model}:streamGenerateContent`.
#[derive(Debug)]
pub struct Gemini {
    info: ModelInfo,
    http: Http,
    url: Url,
    key: Option<String>,
    idle: Duration,
}

impl Gemini {
    /// Where the provider itself listens.
    pub const BASE_URL: &str = "https://generativelanguage.googleapis.com";

    /// Opens no connection yet.
    pub fn new(endpoint: Endpoint) -> Result<Self, ModelError> {
        let model = &endpoint.info.model;
        let path = format!("v1beta/models/{model}:streamGenerateContent?alt=sse");
        let url = endpoint.url(&path)?;
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

impl Model for Gemini {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let body = request::body(&self.info.model, &request);
        let mut post = self.http.post(self.url.clone(), body);
        if let Some(key) = &self.key {
            post = post.header("x-goog-api-key", key);
        }
        self.http
            .reply(post, reply::GeminiReply::default(), self.idle)
    }
}
