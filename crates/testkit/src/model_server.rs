//! A mock model server over real HTTP, on a port of its own.
//!
//! Written by hand on a socket rather than on a web framework, because tests need to say where a
//! chunk ends, when it is sent and how the connection breaks. It runs on its own thread with its
//! own runtime: so it serves child processes and synchronous tests as well, and a test that
//! blocks does not stop it.
//!
//! Requests are answered in order with the scripted replies, whatever their path. A request
//! beyond the script is recorded and answered with status 500 and a message that says so. Where
//! the reply must depend on the request, [`ModelServer::responding`] takes a function instead.
//!
//! Not here: any check of what the client sends. Tests look at [`ModelServer::requests`].

mod connection;
mod mind;
mod reply;
mod request;
mod script;
mod turn;

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;
use tokio::task::JoinSet;

pub use mind::Defect;
pub use reply::{End, HttpReply, Step};
pub use request::Recorded;
pub use turn::{Protocol, Turn};

use crate::PATIENCE;
use crate::watched::Watched;
use connection::Connection;
use script::Script;

/// A running mock server. Dropping it closes all its connections and ends its thread.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What the server's thread and the test both see.
#[derive(Debug)]
struct Shared {
    log: Watched<Log>,
    script: Script,
}

#[derive(Debug, Default)]
struct Log {
    requests: Vec<Recorded>,
    closed: BTreeSet<usize>,
}

impl ModelServer {
    /// A server that gives these replies, in this order.
    pub fn start(replies: Vec<HttpReply>) -> Self {
        Self::with(Script::new(replies))
    }

    /// A server that looks at each request before it answers.
    ///
    /// ```
    /// # use pollux_testkit::{HttpReply, ModelServer};
    /// # use serde_json::json;
    /// let server = ModelServer::responding(|request| match request.path.as_str() {
    ///     "/v1/models" => HttpReply::json(200, json!({"object": "list", "data": []})),
    ///     _ => HttpReply::status(404),
    /// });
    /// ```
    pub fn responding(answer: impl Fn(&Recorded) -> HttpReply + Send + 'static) -> Self {
        Self::with(Script::responding(answer))
    }

    /// A server whose model does as it is told, but for these defects. It understands what
    /// `pollux probe` asks; see [`Defect`].
    pub fn obedient(protocol: Protocol, defects: impl Into<Vec<Defect>>) -> Self {
        let defects = defects.into();
        Self::responding(move |request| mind::answer(request, protocol, &defects))
    }

    fn with(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            log: Watched::default(),
            script,
        });
        let (stop, stopped) = oneshot::channel();
        let seen_by_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("model-server".into())
            .spawn(move || run(listener, &seen_by_thread, stopped))
            .expect("a thread for the server");
        Self {
            address,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// A server that says these turns in the given protocol.
    pub fn speaking(protocol: Protocol, turns: impl IntoIterator<Item = Turn>) -> Self {
        Self::start(turns.into_iter().map(|turn| turn.reply(protocol)).collect())
    }

    /// Adds a reply to the end of the script.
    pub fn push(&self, reply: HttpReply) {
        self.shared.script.push(reply);
    }

    /// Where the server is: `http://127.0.0.1:<port>`, with no slash at the end.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the server is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// All requests so far, in the order in which they were complete.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.log.with(|log| log.requests.clone())
    }

    /// Blocks until there are `count` requests and gives all; panics if they do not come in time.
    ///
    /// Blocks the whole thread: an asynchronous test uses [`ModelServer::requests_reach`].
    pub fn wait_for_requests(&self, count: usize) -> Vec<Recorded> {
        let arrived = self.shared.log.wait(PATIENCE, |log| log.at_least(count));
        arrived.unwrap_or_else(|| self.too_few(count))
    }

    /// As [`ModelServer::wait_for_requests`], for asynchronous tests.
    pub async fn requests_reach(&self, count: usize) -> Vec<Recorded> {
        let arrived = self.shared.log.wait_async(|log| log.at_least(count)).await;
        arrived.unwrap_or_else(|| self.too_few(count))
    }

    /// Blocks until a connection is over, whoever ended it; panics if it stays open.
    ///
    /// Blocks the whole thread: an asynchronous test uses [`ModelServer::closed`].
    pub fn wait_closed(&self, connection: usize) {
        let closed = self
            .shared
            .log
            .wait(PATIENCE, |log| log.is_closed(connection));
        closed.unwrap_or_else(|| panic!("connection {connection} is still open"));
    }

    /// As [`ModelServer::wait_closed`], for asynchronous tests.
    pub async fn closed(&self, connection: usize) {
        let closed = self.shared.log.wait_async(|log| log.is_closed(connection));
        let closed = closed.await;
        closed.unwrap_or_else(|| panic!("connection {connection} is still open"));
    }

    fn too_few(&self, count: usize) -> ! {
        let got = self.requests();
        let list: Vec<String> = got.iter().map(ToString::to_string).collect();
        let list = list.join("\n  ");
        panic!("waited for {count} requests, got {}:\n  {list}", got.len());
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        // Dropping the sender is the signal; whether it still is heard does not matter.
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if let Some(Err(panicked)) = ended
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panicked);
        }
    }
}

impl Log {
    fn at_least(&self, count: usize) -> Option<Vec<Recorded>> {
        (self.requests.len() >= count).then(|| self.requests.clone())
    }

    fn is_closed(&self, connection: usize) -> Option<()> {
        self.closed.contains(&connection).then_some(())
    }
}

/// The server's thread.
fn run(listener: TcpListener, shared: &Arc<Shared>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        tokio::select! {
            () = accept(&listener, shared) => {}
            _ = stopped => {}
        }
    });
}

/// Serves every connection in a task of its own; they end with this future.
async fn accept(listener: &tokio::net::TcpListener, shared: &Arc<Shared>) {
    let mut connections = JoinSet::new();
    for number in 0.. {
        let stream = loop {
            tokio::select! {
                accepted = listener.accept() => break accepted.expect("a connection").0,
                // A defect in the server must not look like a client's failure.
                Some(ended) = connections.join_next() => ended.expect("a connection's task"),
            }
        };
        let shared = Arc::clone(shared);
        connections.spawn(async move {
            Connection::new(number, stream, &shared).serve().await;
            shared.log.update(|log| log.closed.insert(number));
        });
    }
}

#[cfg(test)]
mod tests;
