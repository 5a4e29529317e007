//! Ollama's own chat interface.
//!
//! Ollama speaks chat completions too, but takes the size of the context window only here, and cuts
//! longer prompts without a word.

mod reply;
mod request;
mod wire;

pub(crate) use reply::OllamaReply;

use reqwest::RequestBuilder;

use crate::body::Body;
use crate::server::Server;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// A model behind `{base}/api/chat`.
#[derive(Debug)]
pub struct Ollama {
    server: Server,
    context_window: u64,
    /// The model is not to think.
    no_think: bool,
    body: Body,
}

impl Ollama {
    /// `context_window` is what a prompt and its answer may have in tokens. The address may be that
    /// of the chat completions. Opens no connection yet.
    pub fn new(mut endpoint: Endpoint, context_window: u64) -> Result<Self, ModelError> {
        let base = endpoint.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base).to_owned();
        endpoint.base_url = base;
        let no_think = endpoint.no_think.is_some();
        Ok(Self {
            server: Server::new(endpoint, "api/chat")?,
            context_window,
            no_think,
            body: Body::default(),
        })
    }
}

impl Model for Ollama {
    fn info(&self) -> &ModelInfo {
        &self.server.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let Self { server, body, .. } = self;
        let format = request::Chat {
            model: &server.info.model,
            context_window: self.context_window,
            no_think: self.no_think,
            more: &server.more,
        };
        let body = body.of(&format, &request);
        let sign = |post: RequestBuilder| match &server.key {
            Some(key) => key.as_bearer(post),
            None => post,
        };
        server.reply(body, sign, OllamaReply::default())
    }
}
