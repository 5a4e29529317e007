//! Model servers on this machine, for when nothing says who is to answer.
//!
//! **Invariant:** asking takes no longer than [`PATIENCE`] unless the user has set another time,
//! however many servers there are and whatever they do. No key is sent.

use std::fmt;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use pollux_model::{Directory, Endpoint, ModelInfo, Profile, Protocol, ServerKind};
use pollux_store::settings::LocalSettings;
use tokio::time::{Instant, timeout_at};

/// How long all of them together may take to answer.
const PATIENCE: Duration = Duration::from_millis(100);

/// The longest time that makes sense to set.
const LONGEST: Duration = Duration::from_mins(1);

/// A server that answers, and the model to ask it for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) kind: Option<ServerKind>,
}

impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            base_url,
            model,
            kind,
        } = self;
        match kind {
            Some(kind) => write!(f, "`{model}` of {kind} at {base_url}"),
            None => write!(f, "`{model}` at {base_url}"),
        }
    }
}

/// Whether no server is to be looked for.
pub(crate) fn is_off(settings: &LocalSettings) -> bool {
    settings.servers.as_ref().is_some_and(Vec::is_empty)
}

/// The first server in the list that answers and has this model, or any to talk to. All are asked
/// at once.
pub(crate) async fn find(settings: &LocalSettings, model: Option<&str>) -> Option<Local> {
    let usual = || {
        let addresses = Profile::ALL.iter().filter_map(Profile::local_address);
        addresses.collect()
    };
    let servers: Vec<String> = settings.servers.clone().unwrap_or_else(usual);
    let patience = settings.timeout_ms.map(Duration::from_millis);
    let patience = patience.unwrap_or(PATIENCE).min(LONGEST);
    let mut asked: FuturesOrdered<_> = servers
        .into_iter()
        .map(|base_url| ask(base_url, model, patience))
        .collect();
    while let Some(answered) = asked.next().await {
        if answered.is_some() {
            return answered;
        }
    }
    None
}

/// Something else may listen there: only what gives a list of models is a model server.
async fn ask(base_url: String, model: Option<&str>, patience: Duration) -> Option<Local> {
    let deadline = Instant::now() + patience;
    let nobody = ModelInfo {
        provider: String::new(),
        model: String::new(),
    };
    let endpoint = Endpoint {
        idle: patience,
        ..Endpoint::new(nobody, &base_url)
    };
    let directory = Directory::new(Protocol::OpenAi, endpoint).ok()?;
    let listed = timeout_at(deadline, directory.models()).await;
    let mut catalogue = listed.ok()?.ok()?;
    // What is in memory answers sooner; without knowing, the first will do.
    timeout_at(deadline, directory.look_closer(&mut catalogue, None))
        .await
        .ok();
    let model = match model {
        Some(model) => catalogue.get(model),
        None => catalogue.preferred(),
    };
    Some(Local {
        model: model?.id.clone(),
        kind: catalogue.kind,
        base_url,
    })
}
