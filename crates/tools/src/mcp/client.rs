//! A connection to a server: the one room that names `rmcp`.
//!
//! What is asked of a server is answered within its time, or an error says what went wrong. The
//! client offers servers nothing: they cannot ask for a model's words, for files or for answers of
//! the person.

mod http;

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pollux_exec::server::{Server as Program, ServerJob};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, PaginatedRequestParams,
    ReadResourceRequestParams, ResourceContents,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, RoleClient, RunningService, ServiceError,
    ServiceExt,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport};
use rmcp::{ClientHandler, model::Resource as Listed};
use tokio::time::timeout;

use super::resource::{Piece, Resource, in_a_line};
use super::{Contact, Means};
use http::Bounded;

/// Resources that are listed.
const MOST_RESOURCES: usize = 2000;
/// Parts in which a list may come.
const MOST_PAGES: usize = 100;
/// How long a program that has gone may take to have said why.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// What is said of a server that is gone.
const ENDED: &str = "it ended before it answered";

/// A server that has introduced itself.
pub(super) struct Connection {
    service: RunningService<RoleClient, Listener>,
    program: tokio::sync::Mutex<Option<Program>>,
    changed: Arc<AtomicBool>,
    /// It was found out that nobody is there.
    lost: AtomicBool,
    patience: Duration,
}

/// What the client hears unasked.
struct Listener {
    /// The server has something else to offer than it had.
    changed: Arc<AtomicBool>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let pollux = Implementation::new("pollux", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), pollux)
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.store(true, Ordering::Relaxed);
    }
}

impl Connection {
    /// Connects, and waits until the server has introduced itself.
    pub(super) async fn open(
        contact: &Contact,
        means: &Means,
        patience: Duration,
    ) -> Result<Self, String> {
        match contact {
            Contact::Program {
                program,
                args,
                dir,
                variables,
            } => {
                let job = ServerJob {
                    helper: means.helper.clone(),
                    program: program.clone(),
                    args: args.clone(),
                    dir: dir.clone(),
                    hidden_variables: means.hidden_variables.clone(),
                    variables: variables.clone(),
                };
                let started = Program::start(job);
                let (program, pipes) = started.map_err(|error| {
                    format!("it was not started in `{}`: {error}", dir.display())
                })?;
                Self::introduced(pipes, Some(program), patience).await
            }
            Contact::Address { url, headers } => {
                let client = (means.client)().build();
                let client = client.map_err(|error| error.to_string())?;
                let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                    .custom_headers(header_map(headers)?);
                let transport = StreamableHttpClientTransport::with_client(Bounded(client), config);
                Self::introduced(transport, None, patience).await
            }
        }
    }

    async fn introduced<T, E, A>(
        transport: T,
        mut program: Option<Program>,
        patience: Duration,
    ) -> Result<Self, String>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
    {
        let changed = Arc::default();
        let listener = Listener {
            changed: Arc::clone(&changed),
        };
        let service = match timeout(patience, listener.serve(transport)).await {
            Ok(Ok(service)) => service,
            Ok(Err(error)) => return Err(with_last_words(not_met(&error), program.as_mut()).await),
            Err(_) => {
                let said = program.as_ref().map(Program::complaints);
                return Err(complained(late(patience), said));
            }
        };
        Ok(Self {
            service,
            program: tokio::sync::Mutex::new(program),
            changed,
            lost: AtomicBool::default(),
            patience,
        })
    }

    /// Whether nobody is at the other end any more.
    pub(super) fn is_closed(&self) -> bool {
        self.lost.load(Ordering::Relaxed) || self.service.is_transport_closed()
    }

    /// Whether the server has said that it has something else than before.
    pub(super) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// What it has said so far is no news any more.
    pub(super) fn hear_changes(&self) {
        self.changed.store(false, Ordering::Relaxed);
    }

    /// What it has.
    pub(super) async fn resources(&self) -> Result<Vec<Resource>, String> {
        let info = self.service.peer_info();
        if info.is_none_or(|info| info.capabilities.resources.is_none()) {
            return Ok(Vec::new());
        }
        self.asked(self.pages()).await
    }

    async fn pages(&self) -> Result<Vec<Resource>, ServiceError> {
        let mut resources = Vec::new();
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.service.list_resources(Some(page)).await?;
            let room = MOST_RESOURCES - resources.len();
            resources.extend(page.resources.into_iter().filter_map(listed).take(room));
            cursor = page.next_cursor;
            if cursor.is_none() || resources.len() == MOST_RESOURCES {
                break;
            }
        }
        Ok(resources)
    }

    /// What is in a resource.
    pub(super) async fn read(&self, uri: &str) -> Result<Vec<Piece>, String> {
        let wanted = ReadResourceRequestParams::new(uri);
        let read = self
            .asked(self.service.peer().read_resource(wanted))
            .await?;
        Ok(read.contents.into_iter().map(piece).collect())
    }

    /// An answer in time, or what went wrong.
    async fn asked<T>(
        &self,
        answer: impl Future<Output = Result<T, ServiceError>>,
    ) -> Result<T, String> {
        match timeout(self.patience, answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(ServiceError::McpError(error))) => {
                Err(format!("it says: {}", in_a_line(&error.message)))
            }
            Ok(Err(error)) => {
                let lost = matches!(
                    error,
                    ServiceError::TransportClosed | ServiceError::TransportSend(_)
                );
                self.lost.fetch_or(lost, Ordering::Relaxed);
                Err(self.last_words(&not_answered(&error)).await)
            }
            Err(_) => Err(late(self.patience)),
        }
    }

    /// What there is to say of the end of it.
    pub(super) async fn last_words(&self, what: &str) -> String {
        let mut program = self.program.lock().await;
        with_last_words(what.to_owned(), program.as_mut()).await
    }
}

fn listed(resource: Listed) -> Option<Resource> {
    let name = resource.title.as_deref().unwrap_or(&resource.name);
    let description = resource.description.as_deref();
    Resource::new(resource.uri, name, description)
}

fn piece(contents: ResourceContents) -> Piece {
    match contents {
        ResourceContents::TextResourceContents { text, .. } => Piece::Text(text),
        ResourceContents::BlobResourceContents {
            mime_type, blob, ..
        } => Piece::Blob {
            kind: mime_type,
            // Four letters stand for three bytes.
            bytes: blob.trim_end_matches('=').len() * 3 / 4,
        },
        _ => Piece::Blob {
            kind: None,
            bytes: 0,
        },
    }
}

fn header_map(headers: &[(String, String)]) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let header = |(name, value): &(String, String)| {
        // The value may be a secret.
        let wrong = || format!("the header `{name}` cannot be sent");
        let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        Ok((name, value))
    };
    headers.iter().map(header).collect()
}

fn late(patience: Duration) -> String {
    let seconds = patience.as_secs_f64();
    format!("it did not answer in {seconds} s")
}

fn not_met(error: &ClientInitializeError) -> String {
    if error.is_authorization_required() {
        return "it wants to know who asks; `headers` can say so".to_owned();
    }
    match error {
        ClientInitializeError::ConnectionClosed(_) => ENDED.to_owned(),
        ClientInitializeError::JsonRpcError(error) => {
            format!("it says: {}", in_a_line(&error.message))
        }
        ClientInitializeError::TransportError { error, .. } => not_reached(error.error.as_ref()),
        other => format!(
            "it does not speak the protocol: {}",
            in_a_line(&other.to_string())
        ),
    }
}

fn not_answered(error: &ServiceError) -> String {
    match error {
        ServiceError::TransportClosed => ENDED.to_owned(),
        ServiceError::TransportSend(error) => not_reached(error.error.as_ref()),
        other => format!("it gave no answer: {}", in_a_line(&other.to_string())),
    }
}

/// Why nothing could be sent.
fn not_reached(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    match cause.downcast_ref::<io::Error>() {
        Some(broken) if broken.kind() == io::ErrorKind::BrokenPipe => ENDED.to_owned(),
        _ => format!("it cannot be reached: {}", in_a_line(&cause.to_string())),
    }
}

/// With what a program had to say of its end.
async fn with_last_words(what: String, program: Option<&mut Program>) -> String {
    let Some(program) = program else {
        return what;
    };
    timeout(LAST_WORDS, program.gone()).await.ok();
    complained(what, Some(program.complaints()))
}

fn complained(what: String, said: Option<String>) -> String {
    const LINES: usize = 3;
    let said = said.unwrap_or_default();
    let lines = said.lines().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<String> = lines.rev().take(LINES).map(in_a_line).collect();
    if lines.is_empty() {
        return what;
    }
    lines.reverse();
    format!("{what}: {}", lines.join("; "))
}
