//! Asking a host on the network, and nobody else.
//!
//! **Invariant:** what is connected to is what was judged. A public name counts as one only for as long
//! as it leads to public addresses, which is looked at each time that it is resolved for a connection:
//! so it does not help to give another answer the second time. A proxy that the user has set is the one
//! host that may be anywhere; it resolves the names itself.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use pollux_types::ToolError;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{ClientBuilder, Response, Url};

use super::failed;
use crate::net::{Address, Zone};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How many redirects are followed.
const REDIRECTS: usize = 10;

/// Somebody who knows which machines a name stands for.
pub trait Names: Send + Sync {
    /// All addresses of a host.
    fn find(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The way to the network.
#[derive(Clone)]
pub struct Reach {
    client: fn() -> ClientBuilder,
    names: Arc<dyn Names>,
}

impl Reach {
    /// With such clients, and the names that this machine knows.
    pub fn new(client: fn() -> ClientBuilder) -> Self {
        let names = Arc::new(System);
        Self { client, names }
    }

    /// The same with other names.
    #[must_use]
    pub fn with_names(self, names: Arc<dyn Names>) -> Self {
        Self { names, ..self }
    }

    /// Sends the request. The answer is that of the same host, after redirects there.
    pub(super) async fn ask(&self, address: &Address) -> Result<Response, ToolError> {
        let guard = Guard {
            host: address.host().to_owned(),
            zone: address.zone(),
            names: Arc::clone(&self.names),
        };
        let mut client = (self.client)()
            .connect_timeout(CONNECT)
            .redirect(Policy::custom(redirect))
            .referer(false)
            .dns_resolver(Arc::new(guard));
        if address.zone() != Zone::Public {
            // A proxy would take it for an address of its own.
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| failed(error.to_string()))?;
        let request = client
            .get(address.parts().clone())
            .header(ACCEPT, "text/html, text/plain, application/json, */*;q=0.5")
            .header(ACCEPT_ENCODING, "identity");
        let sent = request.send().await;
        sent.map_err(|error| failed(not_reached(address, &error)))
    }
}

fn redirect(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if attempt.previous().len() > REDIRECTS {
        return attempt.error(format!("it redirects more than {REDIRECTS} times"));
    }
    let stays = attempt.previous().last();
    if stays.is_some_and(|from| stays_there(from, attempt.url())) {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// Whether both are answered by the same server, or by the same with encryption.
fn stays_there(from: &Url, to: &Url) -> bool {
    let door = |url: &Url| (url.scheme().to_owned(), url.port_or_known_default());
    let (before, after) = (door(from), door(to));
    let encrypts = before == ("http".into(), Some(80)) && after == ("https".into(), Some(443));
    let has_user = !to.username().is_empty() || to.password().is_some();
    from.host_str() == to.host_str() && (before == after || encrypts) && !has_user
}

/// Why there is no answer, and what to do.
fn not_reached(address: &Address, error: &reqwest::Error) -> String {
    let (url, host) = (address.url(), address.host());
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    if cause.is::<Misled>() {
        return cause.to_string();
    }
    if error.is_connect() {
        format!("`{host}` cannot be reached for `{url}`: {cause}; check the name and the port")
    } else {
        format!("`{url}` cannot be fetched: {cause}")
    }
}

/// Resolves names, and keeps the one that was judged to where it was judged to be.
struct Guard {
    host: String,
    zone: Zone,
    names: Arc<dyn Names>,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        // Any other name is that of the proxy.
        let zone = if host == self.host {
            self.zone
        } else {
            Zone::Never
        };
        let found = self.names.find(&host);
        Box::pin(async move {
            let found = found.await?;
            if let Some(ip) = found.iter().find(|ip| Zone::of(**ip) > zone) {
                return Err(Misled { host, ip: *ip }.into());
            }
            // The port is that of the address.
            let found = found.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(found) as Addrs)
        })
    }
}

/// A name leads to where it must not.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{host}` was not asked: the name leads to {ip}, which is not in the internet but an address of \
     this machine or a network around it. If that is meant, fetch it by that address"
)]
struct Misled {
    host: String,
    ip: IpAddr,
}

/// What this machine knows.
struct System;

impl Names for System {
    fn find(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let host = host.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

#[cfg(test)]
mod tests;
