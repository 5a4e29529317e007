//! Servers that speak OpenAI's chat completions.
//!
//! The whole protocol is in here: nobody above knows of `choices`, `delta` or `tool_calls`.

mod calls;
mod details;
mod profile;
mod reply;
mod request;
mod wire;

pub use profile::{Profile, Thoughts, Ways};
pub(crate) use reply::OpenAiReply;

use bytes::Bytes;
use reqwest::RequestBuilder;

use crate::body::Body;
use crate::exchange::Parser;
use crate::server::Server;
use crate::{Endpoint, Model, ModelError, ModelInfo, Reply, Request};

/// A model behind `{base}/chat/completions`.
#[derive(Debug)]
pub struct OpenAi {
    server: Server,
    profile: Profile,
    no_think: Option<String>,
    body: Body,
}

impl OpenAi {
    /// Where the provider itself listens.
    pub const BASE_URL: &str = "https://api.openai.com/v1";

    /// Opens no connection yet.
    pub fn new(endpoint: Endpoint, profile: Profile) -> Result<Self, ModelError> {
        let no_think = endpoint.no_think.clone();
        let url = if profile.own_interface {
            // Both of its interfaces are known by the address of either.
            endpoint.root_url("v1/chat/completions")
        } else {
            endpoint.url("chat/completions")
        };
        let url = url?;
        Ok(Self {
            server: Server::new(endpoint, url),
            profile,
            no_think,
            body: Body::default(),
        })
    }

    /// The JSON body of a request.
    pub(crate) fn body(&self, request: &Request<'_>) -> Bytes {
        let Self {
            server,
            profile,
            no_think,
            body,
        } = self;
        let format = request::Chat {
            model: &server.info.model,
            no_think: no_think.as_deref(),
            profile,
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

impl Model for OpenAi {
    fn info(&self) -> &ModelInfo {
        &self.server.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let body = self.body(&request);
        self.read(body, OpenAiReply::default())
    }
}
