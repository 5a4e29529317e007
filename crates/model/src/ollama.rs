//! Ollama's own chat interface.
//!
//! Ollama speaks chat completions too, but takes the size of the context window only here, and cuts
//! longer prompts without a word.

mod reply;
mod request;
mod wire;

pub(crate) use reply::OllamaReply;

use bytes::Bytes;
use reqwest::RequestBuilder;

use crate::body::Body;
use crate::exchange::Parser;
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
    pub fn new(endpoint: Endpoint, context_window: u64) -> Result<Self, ModelError> {
        let url = endpoint.root_url("api/chat")?;
        let no_think = endpoint.no_think.is_some();
        Ok(Self {
            server: Server::new(endpoint, url),
            context_window,
            no_think,
            body: Body::default(),
        })
    }

    /// The JSON body of a request.
    pub(crate) fn body(&self, request: &Request<'_>) -> Bytes {
        let Self { server, body, .. } = self;
        let format = request::Chat {
            model: &server.info.model,
            context_window: self.context_window,
            no_think: self.no_think,
            more: &server.more,
        };
        body.of(&format, request)
    }

    /// Sends such a body and reads the reply with `parser`.
    pub(crate) fn read(&self, body: Bytes, parser: impl Parser + 'static) -> Reply {
        let Self { server, .. } = self;
        let sign = |post: RequestBuilder| match &server.key {
            Some(key) => key.as_bearer(post),
            None => post,
        };
        server.reply(body, sign, parser)
    }
}

impl Model for Ollama {
    fn info(&self) -> &ModelInfo {
        &self.server.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let body = self.body(&request);
        self.read(body, OllamaReply::default())
    }
}
