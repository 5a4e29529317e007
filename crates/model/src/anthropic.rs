//! Anthropic's messages.
//!
//! The whole protocol is in here: nobody above knows of content blocks or cache marks.

mod reply;
mod request;
mod wire;

pub(crate) use reply::AnthropicReply;

use bytes::Bytes;
use reqwest::RequestBuilder;

use crate::body::Body;
use crate::exchange::Parser;
use crate::server::Server;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// The version of the protocol that is spoken here.
pub(crate) const VERSION: &str = "2023-06-01";

/// A model behind `{base}/v1/messages`.
#[derive(Debug)]
pub struct Anthropic {
    server: Server,
    body: Body,
}

impl Anthropic {
    /// Where the provider itself listens.
    pub const BASE_URL: &str = "https://api.anthropic.com";

    /// Opens no connection yet.
    pub fn new(endpoint: Endpoint) -> Result<Self, ModelError> {
        let url = endpoint.root_url("v1/messages")?;
        Ok(Self {
            server: Server::new(endpoint, url),
            body: Body::default(),
        })
    }

    /// The JSON body of a request.
    pub(crate) fn body(&self, request: &Request<'_>) -> Bytes {
        let Self { server, body } = self;
        let format = request::Messages {
            model: &server.info.model,
            more: &server.more,
        };
        body.of(&format, request)
    }

    /// Sends such a body and reads the reply with `parser`.
    pub(crate) fn read(&self, body: Bytes, parser: impl Parser + 'static) -> Reply {
        let Self { server, .. } = self;
        let sign = |post: RequestBuilder| {
            let post = post.header("anthropic-version", VERSION);
            match &server.key {
                Some(key) => key.in_header("x-api-key", post),
                None => post,
            }
        };
        server.reply(body, sign, parser)
    }
}

impl Model for Anthropic {
    fn info(&self) -> &ModelInfo {
        &self.server.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let body = self.body(&request);
        self.read(body, AnthropicReply::default())
    }
}
