//! Gemini's own protocol.
//!
//! The whole protocol is in here: nobody above knows of `candidates` or `functionDeclarations`.

mod reply;
mod request;
mod wire;

pub(crate) use reply::GeminiReply;

use bytes::Bytes;
use reqwest::RequestBuilder;

use crate::body::Body;
use crate::exchange::Parser;
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
        let path = path(&endpoint);
        Ok(Self {
            server: Server::new(endpoint, &path)?,
            body: Body::default(),
        })
    }

    /// The JSON body of a request.
    pub(crate) fn body(&self, request: &Request<'_>) -> Bytes {
        let Self { server, body } = self;
        let format = request::Contents {
            model: &server.info.model,
            more: &server.more,
        };
        body.of(&format, request)
    }

    /// Sends such a body and reads the reply with `parser`.
    pub(crate) fn read(&self, body: Bytes, parser: impl Parser + 'static) -> Reply {
        let Self { server, .. } = self;
        let sign = |post: RequestBuilder| match &server.key {
            Some(key) => key.in_header("x-goog-api-key", post),
            None => post,
        };
        server.reply(body, sign, parser)
    }
}

/// Where the model is below the base URL. An address that says more than the host says where models
/// are: with a version, or, as on Vertex, with a project and a place.
fn path(endpoint: &Endpoint) -> String {
    let base = endpoint.base_url.trim_end_matches('/');
    let host = base.split("//").nth(1).unwrap_or(base);
    let (host, path) = host.split_once('/').unwrap_or((host, ""));
    let is_vertex = host.ends_with("aiplatform.googleapis.com");
    let models = match path.rsplit('/').next() {
        _ if path.contains("publishers/") => "models",
        _ if path.contains("locations/") => "publishers/google/models",
        Some("v1" | "v1beta1") if is_vertex => "publishers/google/models",
        _ if is_vertex => "v1/publishers/google/models",
        Some("v1" | "v1beta" | "v1alpha") => "models",
        _ => "v1beta/models",
    };
    let model = &endpoint.info.model;
    format!("{models}/{model}:streamGenerateContent?alt=sse")
}

impl Model for Gemini {
    fn info(&self) -> &ModelInfo {
        &self.server.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let body = self.body(&request);
        self.read(body, GeminiReply::default())
    }
}
