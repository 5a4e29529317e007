//! A model server: where it is, how to get in, and how it is talked to.
//!
//! What all protocols share. Connections are reused.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use futures_util::stream;
use reqwest::header::HeaderMap;
use reqwest::{Client, RequestBuilder, Url};

use serde_json::{Map, Value};

use crate::exchange::{Exchange, Parser, Peer};
use crate::http::http_client;
use crate::{Endpoint, ErrorKind, Key, ModelError, ModelInfo, Reply};

/// One model behind one address.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) info: ModelInfo,
    pub(crate) key: Option<Key>,
    /// Made for the first request: a model that is never asked costs nothing.
    client: OnceLock<Result<Client, ModelError>>,
    url: Url,
    peer: Arc<Peer>,
    headers: HeaderMap,
    /// Fields for every body.
    pub(crate) more: Map<String, Value>,
    /// A request went out before, so that a connection may have been kept.
    used: AtomicBool,
}

impl Server {
    /// Requests will go to `url`. Opens no connection yet.
    pub(crate) fn new(endpoint: Endpoint, url: Url) -> Self {
        let peer = Arc::new(Peer {
            provider: endpoint.info.provider.clone(),
            host: host(&url),
            idle: endpoint.idle,
            key_hint: endpoint.key_hint,
        });
        Self {
            peer,
            info: endpoint.info,
            key: endpoint.key,
            client: OnceLock::new(),
            url,
            headers: endpoint.headers,
            more: endpoint.body,
            used: AtomicBool::new(false),
        }
    }

    /// Sends a JSON body, with what `sign` adds to it, and reads the reply with `parser`.
    pub(crate) fn reply(
        &self,
        body: Bytes,
        sign: impl FnOnce(RequestBuilder) -> RequestBuilder,
        parser: impl Parser + 'static,
    ) -> Reply {
        let client = match self.client.get_or_init(|| client(&self.url)) {
            Ok(client) => client,
            Err(error) => return Box::pin(stream::iter([Err(error.clone())])),
        };
        let request = client
            .post(self.url.clone())
            .header("content-type", "application/json")
            .headers(self.headers.clone())
            .body(body);
        let request = sign(request);
        let used = self.used.swap(true, Ordering::Relaxed);
        let spare = if used { request.try_clone() } else { None };
        Exchange::reply(request, spare, parser, Arc::clone(&self.peer))
    }
}

/// A client for requests to this address.
pub(crate) fn client(url: &Url) -> Result<Client, ModelError> {
    let mut builder = http_client();
    if is_loopback(url) {
        // A proxy cannot reach a model on this machine.
        builder = builder.no_proxy();
    }
    builder
        .build()
        .map_err(|error| ModelError::new(ErrorKind::Unreachable, format!("HTTP client: {error}")))
}

/// How an address is called where something is wrong with it.
pub(crate) fn host(url: &Url) -> String {
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}

/// Whether it is this very machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host
            .parse::<std::net::Ipv4Addr>()
            .is_ok_and(|ip| ip.is_loopback()),
        None => false,
    }
}
