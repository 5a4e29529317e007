//! One server: connected to when it is wanted, and again when it has gone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::client::Connection;
use super::resource::{Resource, in_a_line, shown};
use super::{Means, ServerSetup, ServerState, Standing};

pub(super) struct Server {
    setup: ServerSetup,
    means: Means,
    /// The way to it. Whoever wants it while it is being connected to waits for that.
    link: tokio::sync::Mutex<Option<Arc<Connection>>>,
    seen: Mutex<Seen>,
}

/// What is known of it without asking.
#[derive(Default)]
struct Seen {
    state: ServerState,
    resources: Vec<Resource>,
    restarted: Option<String>,
    /// Why it had to be started again, as long as nobody has been told.
    untold: Option<String>,
    /// The connection by which all that is known.
    by: Option<Arc<Connection>>,
}

impl Seen {
    fn new(setup: &ServerSetup) -> Self {
        let state = match &setup.contact {
            _ if setup.disabled => ServerState::Disabled,
            Ok(_) => ServerState::Idle,
            Err(why) => ServerState::Failed(why.clone()),
        };
        Self {
            state,
            ..Self::default()
        }
    }

    /// Whether there may be something else by now.
    fn is_stale(&self) -> bool {
        let by = self.by.as_ref();
        by.is_none_or(|connection| connection.is_closed() || connection.has_changed())
    }
}

impl Server {
    pub(super) fn new(setup: ServerSetup, means: Means) -> Self {
        Self {
            seen: Mutex::new(Seen::new(&setup)),
            setup,
            means,
            link: tokio::sync::Mutex::default(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.setup.name
    }

    pub(super) fn resources(&self) -> Vec<Resource> {
        self.seen().resources.clone()
    }

    pub(super) fn is_asked(&self) -> bool {
        self.seen().state == ServerState::Asked
    }

    pub(super) fn standing(&self) -> Standing {
        let seen = self.seen();
        Standing {
            name: self.setup.name.clone(),
            state: seen.state.clone(),
            resources: seen.resources.len(),
            restarted: seen.restarted.clone(),
        }
    }

    /// Why it had to be started again, once.
    pub(super) fn news(&self) -> Option<String> {
        self.seen().untold.take()
    }

    /// Whether it could tell more than is known.
    pub(super) fn lacks(&self) -> bool {
        let seen = self.seen();
        match seen.state {
            ServerState::Idle | ServerState::Asked => true,
            ServerState::Ready => seen.is_stale(),
            ServerState::Failed(_) | ServerState::Disabled => false,
        }
    }

    /// Whether it is to be asked from now on, and is not yet.
    pub(super) fn begins(&self) -> bool {
        let begins = self.lacks() && !self.is_asked();
        if begins {
            self.seen().state = ServerState::Asked;
        }
        begins
    }

    /// Asks it what it has.
    pub(super) async fn tell(&self) {
        let told = match self.connection().await {
            Ok((connection, _)) => {
                // Before it is asked: what changes meanwhile is not known.
                connection.hear_changes();
                let resources = connection.resources().await;
                resources.map(|resources| (connection, resources))
            }
            Err(why) => Err(why),
        };
        let mut seen = self.seen();
        match told {
            Ok((connection, resources)) => {
                seen.state = ServerState::Ready;
                seen.resources = resources;
                seen.by = Some(connection);
            }
            Err(why) => seen.state = ServerState::Failed(why),
        }
    }

    pub(super) async fn read(&self, uri: &str) -> Result<String, String> {
        let (mut connection, is_new) = self.wanted().await?;
        let mut read = connection.read(uri).await;
        // It may have gone since it was last asked, and nobody has noticed.
        if read.is_err() && !is_new && connection.is_closed() {
            (connection, _) = self.wanted().await?;
            read = connection.read(uri).await;
        }
        let text = shown(&read?);
        let mut seen = self.seen();
        if matches!(seen.state, ServerState::Failed(_)) {
            // It can tell what it has after all.
            seen.state = ServerState::Idle;
        }
        Ok(text)
    }

    /// The way to it for somebody who names it, and whether that is new.
    async fn wanted(&self) -> Result<(Arc<Connection>, bool), String> {
        self.connection().await.inspect_err(|why| {
            let mut seen = self.seen();
            if !matches!(seen.state, ServerState::Disabled | ServerState::Asked) {
                seen.state = ServerState::Failed(why.clone());
            }
        })
    }

    /// Lets go of it, and forgets what went wrong.
    pub(super) async fn let_go(&self) {
        *self.link.lock().await = None;
        *self.seen() = Seen::new(&self.setup);
    }

    /// The way to it, and whether that is new.
    async fn connection(&self) -> Result<(Arc<Connection>, bool), String> {
        if self.setup.disabled {
            return Err("it is disabled in the settings".to_owned());
        }
        let contact = self.setup.contact.as_ref().map_err(Clone::clone)?;
        let mut link = self.link.lock().await;
        let restarted = match link.as_ref() {
            Some(open) if !open.is_closed() => return Ok((Arc::clone(open), false)),
            Some(gone) => Some(in_a_line(&gone.last_words("it had ended").await)),
            None => None,
        };
        *link = None;
        let opened = Connection::open(contact, &self.means, self.setup.timeout).await?;
        let opened = Arc::new(opened);
        *link = Some(Arc::clone(&opened));
        if restarted.is_some() {
            let mut seen = self.seen();
            seen.restarted.clone_from(&restarted);
            seen.untold = restarted;
        }
        Ok((opened, true))
    }

    /// Whoever panicked has left what is known whole.
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
