//! `web_fetch`: what is at an address on the network, as text.
//!
//! Who is asked is settled before anything is sent: redirects are followed on the same host only, and
//! a name that leads to a private network is not followed at all (`reach.rs`).

mod answer;
mod html;
mod reach;
mod wanted;

use std::fmt::Write as _;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::cancelled;
use crate::net::Address;
use crate::schema::{self, refusal};
use crate::{BadArgs, Effects, Outcome, Output, Plan, RunContext, Tool};

pub use reach::{Names, Reach};

/// Bytes of text that a model reads at once.
const SHOWN_BYTES: usize = 50_000;
/// How long one address may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How many are asked at the same time.
const AT_ONCE: usize = 4;

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// http or https.
    #[serde(default, alias = "uri", alias = "address", alias = "link")]
    url: Option<String>,
    /// Instead of `url`: text with up to 20 of them.
    #[serde(default)]
    prompt: Option<String>,
    /// Where to read on.
    #[serde(default, deserialize_with = "schema::count")]
    offset: Option<usize>,
}

/// The tool.
pub(crate) struct WebFetch {
    spec: ToolSpec,
    reach: Reach,
}

impl WebFetch {
    pub(crate) fn new(reach: Reach) -> Self {
        let description = "Fetches a web page or text file. HTML comes as text with its links.";
        let spec = schema::spec::<Args>("web_fetch", description);
        Self { spec, reach }
    }
}

impl Tool for WebFetch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["fetch", "webfetch"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let wanted = wanted::addresses(args.url.as_deref(), args.prompt.as_deref());
        let addresses = wanted.map_err(|wrong| refusal(&self.spec, &wrong))?;
        let offset = args.offset.unwrap_or_default();
        if offset > 0 && addresses.len() > 1 {
            return Err(refusal(&self.spec, "`offset` goes with one `url`"));
        }
        Ok(Box::new(Fetching {
            addresses,
            offset,
            reach: self.reach.clone(),
        }))
    }
}

struct Fetching {
    addresses: Vec<Address>,
    offset: usize,
    reach: Reach,
}

impl Plan for Fetching {
    fn effects(&self) -> Effects {
        Effects {
            reaches: self.addresses.clone(),
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        let urls: Vec<&str> = self.addresses.iter().map(Address::url).collect();
        urls.join(" ")
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            tokio::select! {
                biased;
                () = context.cancel.cancelled() => Err(cancelled()),
                outcome = self.fetch_all() => outcome,
            }
        })
    }
}

impl Fetching {
    async fn fetch_all(&self) -> Outcome {
        let each = SHOWN_BYTES / self.addresses.len();
        let asking = self.addresses.iter();
        let asking: Vec<_> = asking.map(|address| self.fetch(address, each)).collect();
        let fetched = stream::iter(asking).buffered(AT_ONCE);
        let fetched: Vec<Result<String, ToolError>> = fetched.collect().await;
        if fetched.iter().all(Result::is_err) {
            let errors: Vec<ToolError> = fetched.into_iter().filter_map(Result::err).collect();
            let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            let kind = errors.first().map(|error| error.kind);
            let kind = kind.unwrap_or(ToolErrorKind::FetchFailed);
            return Err(ToolError::new(kind, messages.join("\n")));
        }
        let mut text = String::new();
        for one in fetched {
            let one = one.unwrap_or_else(|error| format!("[failed: {}]\n", error.message));
            let gap = if text.is_empty() { "" } else { "\n" };
            write!(text, "{gap}{one}").expect("a String takes any text");
        }
        Ok(Output::text(text))
    }

    async fn fetch(&self, address: &Address, shown: usize) -> Result<String, ToolError> {
        let answer = async {
            let response = self.reach.ask(address).await?;
            answer::read(address, response).await
        };
        let answer = tokio::time::timeout(TIMEOUT, answer).await;
        let answer = answer.unwrap_or_else(|_| {
            let seconds = TIMEOUT.as_secs();
            let message = format!(
                "`{}` did not answer within {seconds} s; try again later, or another address",
                address.url()
            );
            Err(failed(message))
        });
        answer?.page(self.offset, shown)
    }
}

fn failed(message: impl Into<String>) -> ToolError {
    ToolError::new(ToolErrorKind::FetchFailed, message)
}

#[cfg(test)]
mod tests;
