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
    is_vertex: bool,
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
        let Models { path, is_vertex } = Models::at(&endpoint.base_url);
        let model = &endpoint.info.model;
        let url = endpoint.url(&format!("{path}/{model}:streamGenerateContent?alt=sse"))?;
        Ok(Self {
            server: Server::new(endpoint, url),
            is_vertex,
            body: Body::default(),
        })
    }

    /// The JSON body of a request.
    pub(crate) fn body(&self, request: &Request<'_>) -> Bytes {
        let Self { server, body, .. } = self;
        let format = request::Contents {
            model: &server.info.model,
            ids: !self.is_vertex,
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

/// Where models are below a base URL.
pub(crate) struct Models {
    pub(crate) path: &'static str,
    is_vertex: bool,
}

impl Models {
    /// An address that says more than the host says where models are: with a version, or, as on
    /// Vertex, with a project and a place.
    pub(crate) fn at(base_url: &str) -> Self {
        let base = base_url.trim_end_matches('/');
        let host = base.split("//").nth(1).unwrap_or(base);
        let (host, path) = host.split_once('/').unwrap_or((host, ""));
        let of_vertex = host.ends_with("aiplatform.googleapis.com");
        let version = path.rsplit('/').next().unwrap_or_default();
        let (path, is_vertex) = match version {
            _ if path.contains("publishers/") => ("models", true),
            _ if path.contains("locations/") => ("publishers/google/models", true),
            "v1" | "v1beta1" if of_vertex => ("publishers/google/models", true),
            _ if of_vertex => ("v1/publishers/google/models", true),
            "v1" | "v1beta" | "v1alpha" => ("models", false),
            _ => ("v1beta/models", false),
        };
        Self { path, is_vertex }
    }
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
