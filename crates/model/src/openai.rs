//! Servers that speak OpenAI's chat completions.
//!
//! The whole protocol is in here: nobody above knows of `choices`, `delta` or `tool_calls`.

mod calls;
mod reply;
mod request;
mod wire;

use crate::server::Server;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// A model behind `{base}/chat/completions`.
#[derive(Debug)]
pub struct OpenAi(Server);

impl OpenAi {
    /// Where the provider itself listens.
    pub const BASE_URL: &str = "https://api.openai.com/v1";

    /// Opens no connection yet.
    pub fn new(endpoint: Endpoint) -> Result<Self, ModelError> {
        Server::new(endpoint, "chat/completions").map(Self)
    }
}

impl Model for OpenAi {
    fn info(&self) -> &ModelInfo {
        &self.0.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let Self(server) = self;
        let mut post = server.post(request::body(&server.info.model, &request));
        if let Some(key) = &server.key {
            post = post.header("authorization", key.bearer());
        }
        server.reply(post, reply::OpenAiReply::default())
    }
}
