//! Gemini's own protocol.
//!
//! The whole protocol is in here: nobody above knows of `candidates` or `functionDeclarations`.

mod reply;
mod request;
mod wire;

pub(crate) use reply::GeminiReply;

use crate::body::Body;
use crate::server::Server;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// A model behind `{base}/v1beta/models/{model}:streamGenerateContent`.
#[derive(Debug)]
pub struct Gemini {
    server: Server,
    body: Body,
}

impl Gemini {
    /// Where the provider itself listens.
    pub const BASE_URL: &str = "https://generativelanguage.googleapis.com";

    /// Opens no connection yet.
    pub fn new(mut endpoint: Endpoint) -> Result<Self, ModelError> {
        // The API lists its models with this prefix, and takes them without.
        let bare = endpoint
            .info
            .model
            .strip_prefix("models/")
            .map(str::to_owned);
        endpoint.info.model = bare.unwrap_or(endpoint.info.model);
        let path = format!(
            "v1beta/models/{}:streamGenerateContent?alt=sse",
            endpoint.info.model
        );
        Ok(Self {
            server: Server::new(endpoint, &path)?,
            body: Body::default(),
        })
    }
}

impl Model for Gemini {
    fn info(&self) -> &ModelInfo {
        &self.server.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let Self { server, body } = self;
        let format = request::Contents {
            model: &server.info.model,
            more: &server.more,
        };
        let mut post = server.post(body.of(&format, &request));
        if let Some(key) = &server.key {
            post = post.header("x-goog-api-key", key.header());
        }
        server.reply(post, GeminiReply::default())
    }
}
