//! Servers that speak the Model Context Protocol, and what they have.
//!
//! A server is connected to when somebody first wants something of it, and again when it has gone.
//! What servers say is data from outside: bounded in size and in time, and never obeyed.
//!
//! Only `client.rs` knows the protocol.

mod client;
mod resource;
mod server;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::ClientBuilder;
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use resource::Resource;
use server::Server;

/// The servers of a session. Dropping the last copy ends those that were started.
#[derive(Clone, Default)]
pub struct McpServers(Arc<All>);

#[derive(Default)]
struct All {
    servers: Vec<Arc<Server>>,
    /// Those that are being asked for what they have.
    asking: Mutex<JoinSet<()>>,
    /// Told whenever one of them is done.
    settled: watch::Sender<()>,
}

/// A server as it is set up.
#[derive(Clone, Debug)]
pub struct ServerSetup {
    /// What it is called.
    pub name: String,
    /// How it is reached, or why that cannot be.
    pub contact: Result<Contact, String>,
    /// How long it may take to start, and to answer.
    pub timeout: Duration,
    /// It is not to be used.
    pub disabled: bool,
}

/// How a server is reached.
#[derive(Clone, Debug)]
pub enum Contact {
    /// It is started, and talked to through pipes.
    Program {
        /// The program.
        program: OsString,
        /// Its arguments.
        args: Vec<OsString>,
        /// Where it runs.
        dir: PathBuf,
        /// Variables that it gets besides those that commands get.
        variables: Vec<(String, OsString)>,
    },
    /// It is called over the network.
    Address {
        /// Where it listens.
        url: String,
        /// Headers to send.
        headers: Vec<(String, String)>,
    },
}

/// What servers are started and called with.
#[derive(Clone, Debug)]
pub struct Means {
    /// The program of which this is a part: it watches over what it starts.
    pub helper: PathBuf,
    /// Variables that servers do not get to see.
    pub hidden_variables: Vec<String>,
    /// The way to the network.
    pub client: fn() -> ClientBuilder,
}

/// How a server stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it is called.
    pub name: String,
    /// Whether it can be used.
    pub state: ServerState,
    /// How many resources it has, as far as that is known.
    pub resources: usize,
    /// Why it had to be started again, the last time that it had to.
    pub restarted: Option<String>,
}

/// Whether a server can be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ServerState {
    /// Nobody has wanted anything of it yet.
    #[default]
    Idle,
    /// It is being connected to, or asked for what it has.
    Asked,
    /// It answers.
    Ready,
    /// It does not, and why.
    Failed(String),
    /// It is not to be used.
    Disabled,
}

impl McpServers {
    /// Servers that are set up like this. Starts nothing.
    pub fn new(setups: Vec<ServerSetup>, means: &Means) -> Self {
        let server = |setup| Arc::new(Server::new(setup, means.clone()));
        Self(Arc::new(All {
            servers: setups.into_iter().map(server).collect(),
            ..All::default()
        }))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.servers.is_empty()
    }

    /// The server and the resource that `mention` names, if it names a server: `server:uri`.
    pub fn split<'a>(&self, mention: &'a str) -> Option<(&'a str, &'a str)> {
        let (name, uri) = mention.split_once(':')?;
        let known = self.find(name).is_some() && !uri.is_empty();
        known.then_some((name, uri))
    }

    /// Whether `mention` names a resource that is known by now.
    pub fn has(&self, mention: &str) -> bool {
        let known = |(name, uri): (&str, &str)| {
            let resources = self.find(name).map(|server| server.resources());
            let mut resources = resources.into_iter().flatten();
            resources.any(|resource| resource.uri == uri)
        };
        self.split(mention).is_some_and(known)
    }

    /// Waits until this server has told what it has, or has had its time.
    pub async fn learn(&self, name: &str) {
        if let Some(server) = self.find(name).filter(|server| server.lacks()) {
            server.tell().await;
        }
    }

    /// What is known by now, with the names of the servers.
    pub fn resources(&self) -> Vec<(String, Resource)> {
        let servers = self.0.servers.iter();
        let named = servers.flat_map(|server| {
            let resources = server.resources().into_iter();
            resources.map(|resource| (server.name().to_owned(), resource))
        });
        named.collect()
    }

    /// Whether some could still tell what they have. Those that have failed are left alone.
    pub fn lack(&self) -> bool {
        self.0.servers.iter().any(|server| server.lacks())
    }

    /// Has those asked that could tell, in the background.
    pub fn ask(&self) {
        let mut asking = self.asking();
        while asking.try_join_next().is_some() {}
        for server in self.0.servers.iter().filter(|server| server.begins()) {
            let (server, settled) = (Arc::clone(server), self.0.settled.clone());
            asking.spawn(async move {
                server.tell().await;
                settled.send_replace(());
            });
        }
    }

    /// Waits until all that were asked have answered, or have had their time.
    pub async fn answered(&self) {
        let mut settled = self.0.settled.subscribe();
        while self.0.servers.iter().any(|server| server.is_asked()) {
            // The other end is in `self`.
            settled.changed().await.ok();
        }
    }

    /// What somebody should know, once: servers that had to be started again.
    pub fn news(&self) -> Vec<String> {
        let servers = self.0.servers.iter();
        let news = servers.filter_map(|server| {
            let (name, why) = (server.name(), server.news()?);
            Some(format!("the MCP server `{name}` was started again: {why}"))
        });
        news.collect()
    }

    /// How they stand.
    pub fn standing(&self) -> Vec<Standing> {
        let servers = self.0.servers.iter();
        servers.map(|server| server.standing()).collect()
    }

    /// Lets go of all of them, so that the next use begins anew.
    pub async fn reload(&self) {
        // Nobody waits for those that are still being asked.
        drop(std::mem::take(&mut *self.asking()));
        for server in &self.0.servers {
            server.let_go().await;
        }
        self.0.settled.send_replace(());
    }

    /// What is in a resource, bounded; what is no text is only named. Connects first if need be. The
    /// error says what is wrong.
    pub async fn read(&self, name: &str, uri: &str) -> Result<String, String> {
        match self.find(name) {
            Some(server) => server.read(uri).await,
            None => Err(format!("there is no MCP server `{name}`")),
        }
    }

    fn asking(&self) -> MutexGuard<'_, JoinSet<()>> {
        let asking = self.0.asking.lock();
        asking.unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, name: &str) -> Option<&Arc<Server>> {
        self.0.servers.iter().find(|server| server.name() == name)
    }
}
