//! The HTTP client, as pollux sets it up.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

/// A client that trusts the bundled roots and goes nowhere but where it is sent. Opens nothing yet.
pub fn http_client() -> ClientBuilder {
    Client::builder()
        .tls_backend_preconfigured(tls())
        .user_agent(concat!("pollux/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(30))
        // A conversation goes where the user sent it and nowhere else.
        .redirect(Policy::none())
        .tcp_nodelay(true)
}

/// Bundled roots: no file to find, nothing to fail at start.
fn tls() -> rustls::ClientConfig {
    let roots = rustls::RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.into(),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring supports the default TLS versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
}
