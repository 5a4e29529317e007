//! What a server has: its models, and what it tells about them.
//!
//! Every protocol has a list of models. How much of a conversation a model can read at once, and
//! whether it is in memory, only some servers tell, and each elsewhere; that is asked for apart
//! ([`Directory::look_closer`]), and what is not told stays unknown.

mod kind;
mod list;

use reqwest::{Client, RequestBuilder, Url};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::recorded::Protocol;
use crate::{
    Endpoint, ErrorKind, ModelError, Profile, anthropic, exchange, gemini, refusal, server,
};

pub use kind::ServerKind;

/// No honest list is longer.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// The models of a server, in its own order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// What the server is, where it can be told.
    pub kind: Option<ServerKind>,
    /// What it has.
    pub models: Vec<Listed>,
}

/// A model in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The name to ask for it with.
    pub id: String,
    /// How many tokens it can read at once, as far as the server tells.
    pub context: Option<u64>,
    /// How many it was made to read, where the server tells that apart from how many it does.
    pub trained: Option<u64>,
    /// Whether it is known to be in memory.
    pub loaded: bool,
    /// Whether it can hold a conversation, as far as can be told.
    pub chats: bool,
}

impl Catalogue {
    /// The model to talk to if nobody has chosen: one that is in memory, else the first that talks.
    pub fn preferred(&self) -> Option<&Listed> {
        let mut talking = self.models.iter().filter(|model| model.chats);
        let first = talking.clone().next();
        talking.find(|model| model.loaded).or(first)
    }

    /// The model of this name.
    pub fn get(&self, id: &str) -> Option<&Listed> {
        self.models.iter().find(|model| same(&model.id, id))
    }

    fn get_mut(&mut self, id: &str) -> Option<&mut Listed> {
        self.models.iter_mut().find(|model| same(&model.id, id))
    }
}

/// Ollama leaves out the tag `latest`, and Gemini writes `models/` in front. Anthropic lists its
/// models with dates, and has names without them for the newest.
fn same(listed: &str, wanted: &str) -> bool {
    fn bare(id: &str) -> &str {
        let id = id.strip_prefix("models/").unwrap_or(id);
        id.strip_suffix(":latest").unwrap_or(id)
    }
    let is_date = |rest: &str| rest.len() == 8 && rest.bytes().all(|byte| byte.is_ascii_digit());
    let rest = bare(listed).strip_prefix(bare(wanted));
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_date))
}

/// Asks a server what it has.
#[derive(Debug)]
pub struct Directory {
    protocol: Protocol,
    endpoint: Endpoint,
    client: Client,
}

impl Directory {
    /// Opens no connection yet.
    pub fn new(protocol: Protocol, endpoint: Endpoint) -> Result<Self, ModelError> {
        let client = server::client(&endpoint.url("")?)?;
        Ok(Self {
            protocol,
            endpoint,
            client,
        })
    }

    /// The server's list. One request.
    pub async fn models(&self) -> Result<Catalogue, ModelError> {
        let url = match self.protocol {
            Protocol::Gemini => {
                let models = gemini::Models::at(&self.endpoint.base_url).path;
                self.endpoint.url(&format!("{models}?pageSize=1000"))
            }
            Protocol::OpenAi => self.endpoint.url("models"),
            Protocol::Ollama => self.endpoint.root_url("v1/models"),
            Protocol::Anthropic => self.endpoint.root_url("v1/models?limit=1000"),
        }?;
        let body = self.json(self.client.get(url.clone())).await?;
        let mut catalogue = match self.protocol {
            Protocol::Gemini => list::gemini(&body),
            Protocol::OpenAi | Protocol::Ollama => list::openai(&body),
            Protocol::Anthropic => list::anthropic(&body),
        }
        .ok_or_else(|| no_list(&url))?;
        catalogue.kind = catalogue.kind.or_else(|| Profile::of_host(&url)?.kind);
        Ok(catalogue)
    }

    /// Adds what the servers that people run themselves tell in places of their own: which one it
    /// is, what is in memory, and how much `model` can read. Several requests; that one fails only
    /// means that there is nothing to add.
    pub async fn look_closer(&self, catalogue: &mut Catalogue, model: Option<&str>) {
        if !matches!(self.protocol, Protocol::OpenAi | Protocol::Ollama) {
            return;
        }
        if catalogue.kind.is_none_or(ServerKind::is_guess) {
            let asked = tokio::join!(
                self.below_root("api/version"),
                self.below_root("api/v0/models"),
                self.below_root("props"),
            );
            catalogue.kind = kind::told([asked.0, asked.1, asked.2]).or(catalogue.kind);
        }
        match catalogue.kind {
            Some(ServerKind::Ollama) => self.ask_ollama(catalogue, model).await,
            Some(ServerKind::LmStudio) => {
                if let Some(list) = self.below_root("api/v0/models").await {
                    list::add_lm_studio(catalogue, &list);
                }
            }
            Some(ServerKind::LlamaCpp) => {
                if let Some(props) = self.below_root("props").await {
                    list::add_llama_cpp(catalogue, &props);
                }
            }
            _ => {}
        }
    }

    async fn ask_ollama(&self, catalogue: &mut Catalogue, model: Option<&str>) {
        if let Some(running) = self.below_root("api/ps").await {
            list::add_ollama_running(catalogue, &running);
        }
        let listed = model.and_then(|id| catalogue.get_mut(id));
        if let (Some(listed), Ok(url)) = (listed, self.endpoint.root_url("api/show")) {
            let body = json!({"model": listed.id}).to_string();
            let post = self
                .client
                .post(url)
                .header("content-type", "application/json");
            if let Ok(shown) = self.json(post.body(body)).await {
                list::add_ollama_shown(listed, &shown);
            }
        }
    }

    /// What the server says at a path beside its protocol, if anything.
    async fn below_root(&self, path: &str) -> Option<Value> {
        let url = self.endpoint.root_url(path).ok()?;
        self.json(self.client.get(url)).await.ok()
    }

    /// Sends a request, with key and headers, and reads the JSON that comes back.
    async fn json(&self, request: RequestBuilder) -> Result<Value, ModelError> {
        let url = self.endpoint.url("")?;
        let deadline = Instant::now() + self.endpoint.idle;
        let silent = || {
            let message = format!("{} does not answer", server::host(&url));
            ModelError::new(ErrorKind::IdleTimeout, message)
        };
        let request = request.headers(self.endpoint.headers.clone());
        let sent = tokio::time::timeout_at(deadline, self.with_key(request).send());
        let response = sent
            .await
            .map_err(|_| silent())?
            .map_err(|error| exchange::unreachable(&server::host(&url), &error))?;
        if !response.status().is_success() {
            return Err(refusal::read(response, deadline).await);
        }
        let body = tokio::time::timeout_at(deadline, body(response));
        let body = body.await.map_err(|_| silent())?;
        body.and_then(|body| serde_json::from_slice(&body).ok())
            .ok_or_else(|| no_list(&url))
    }

    fn with_key(&self, mut request: RequestBuilder) -> RequestBuilder {
        if self.protocol == Protocol::Anthropic {
            request = request.header("anthropic-version", anthropic::VERSION);
        }
        match (&self.endpoint.key, self.protocol) {
            (None, _) => request,
            (Some(key), Protocol::Gemini) => key.in_header("x-goog-api-key", request),
            (Some(key), Protocol::OpenAi | Protocol::Ollama) => key.as_bearer(request),
            (Some(key), Protocol::Anthropic) => key.in_header("x-api-key", request),
        }
    }
}

/// The whole body, unless it breaks off or is longer than a list can be.
async fn body(mut response: reqwest::Response) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BODY {
            return None;
        }
    }
    Some(body)
}

fn no_list(url: &Url) -> ModelError {
    let message = format!(
        "{} gave no list of models; is it a model server, and the address right?",
        server::host(url)
    );
    ModelError::new(ErrorKind::MalformedChunk, message)
}
