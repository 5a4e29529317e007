//! Which model answers: flags first, then the environment, then whatever there is.

use std::sync::Arc;

use pollux_model::{Anthropic, DEFAULT_IDLE, Endpoint, Gemini, Model, ModelInfo, Offline, OpenAi};

use crate::args::Args;
use crate::environment::Environment;
use crate::failure::Failure;

/// A way to reach models. One entry here is all that a protocol needs to be chosen by name.
struct Provider {
    name: &'static str,
    /// Variables that may hold its key, the preferred one first.
    keys: &'static [&'static str],
    base_url_var: &'static str,
    base_url: &'static str,
    default_model: &'static str,
    /// Other servers speak its protocol too, so behind another address may be any model.
    serves_anything: bool,
    connect: fn(Endpoint) -> Result<Arc<dyn Model>, pollux_model::ModelError>,
}

/// In the order in which keys are looked for when nothing was chosen.
const PROVIDERS: [Provider; 3] = [
    Provider {
        name: "gemini",
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        base_url_var: "GOOGLE_GEMINI_BASE_URL",
        base_url: Gemini::BASE_URL,
        default_model: "gemini-2.5-pro",
        serves_anything: false,
        connect: |endpoint| Ok(Arc::new(Gemini::new(endpoint)?)),
    },
    Provider {
        name: "openai",
        keys: &["OPENAI_API_KEY"],
        base_url_var: "OPENAI_BASE_URL",
        base_url: OpenAi::BASE_URL,
        default_model: "gpt-5",
        serves_anything: true,
        connect: |endpoint| Ok(Arc::new(OpenAi::new(endpoint)?)),
    },
    Provider {
        name: "anthropic",
        keys: &["ANTHROPIC_API_KEY"],
        base_url_var: "ANTHROPIC_BASE_URL",
        base_url: Anthropic::BASE_URL,
        default_model: "claude-sonnet-4-5",
        serves_anything: false,
        connect: |endpoint| Ok(Arc::new(Anthropic::new(endpoint)?)),
    },
];

/// The model to talk to. Opens no connection.
pub(crate) fn choose(args: &Args, environment: &Environment) -> Result<Arc<dyn Model>, Failure> {
    let model = args
        .model
        .as_deref()
        .or_else(|| environment.var("POLLUX_MODEL"));
    let named = args
        .provider
        .as_deref()
        .or_else(|| environment.var("POLLUX_PROVIDER"));
    let (name, model) = match (named, model.and_then(|model| model.split_once('/'))) {
        (Some(name), _) => (Some(name), model),
        (None, Some((name, model))) if is_provider(name) => (Some(name), Some(model)),
        (None, _) => (None, model),
    };
    match name {
        Some(Offline::NAME) => Ok(Arc::new(Offline::default())),
        Some(name) => by_name(name)?.connect(model, args, environment),
        None => match first_configured(args, environment) {
            Some(provider) => provider.connect(model, args, environment),
            None => Ok(Arc::new(Offline::default())),
        },
    }
}

fn is_provider(name: &str) -> bool {
    name == Offline::NAME || PROVIDERS.iter().any(|provider| provider.name == name)
}

fn by_name(name: &str) -> Result<&'static Provider, Failure> {
    PROVIDERS
        .iter()
        .find(|provider| provider.name == name)
        .ok_or_else(|| {
            let mut names: Vec<&str> = PROVIDERS.iter().map(|provider| provider.name).collect();
            names.push(Offline::NAME);
            let failure = Failure::usage(format!("unknown provider `{name}`"));
            match pollux_types::nearest(name, names.iter().copied()) {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint(format!("there are: {}", names.join(", "))),
            }
        })
}

/// The first provider that has a key or an address; a bare `--base-url` means an OpenAI-compatible
/// server.
fn first_configured(args: &Args, environment: &Environment) -> Option<&'static Provider> {
    let configured = |provider: &&Provider| {
        provider.key(environment).is_some() || environment.var(provider.base_url_var).is_some()
    };
    let found = PROVIDERS.iter().find(configured);
    found.or_else(|| args.base_url.as_ref().and_then(|_| by_name("openai").ok()))
}

impl Provider {
    fn key(&self, environment: &Environment) -> Option<String> {
        let key = self.keys.iter().find_map(|name| environment.var(name));
        key.map(|key| key.trim().to_owned())
    }

    fn connect(
        &self,
        model: Option<&str>,
        args: &Args,
        environment: &Environment,
    ) -> Result<Arc<dyn Model>, Failure> {
        let elsewhere = args
            .base_url
            .as_deref()
            .or_else(|| environment.var(self.base_url_var));
        let key = self.key(environment);
        if key.is_none() && elsewhere.is_none() {
            let message = format!("no API key for the provider `{}`", self.name);
            return Err(Failure::auth(message).hint(format!(
                "set {}; or try `--provider offline`",
                self.keys.join(" or ")
            )));
        }
        let model = match (model, elsewhere) {
            (Some(model), _) => model,
            (None, Some(url)) if self.serves_anything => {
                let message = format!("which model of {url} shall answer?");
                return Err(Failure::usage(message).hint("name it with `--model` or POLLUX_MODEL"));
            }
            (None, _) => self.default_model,
        };
        let endpoint = Endpoint {
            info: ModelInfo {
                provider: self.name.to_owned(),
                model: model.to_owned(),
            },
            base_url: elsewhere.unwrap_or(self.base_url).to_owned(),
            key,
            idle: DEFAULT_IDLE,
        };
        (self.connect)(endpoint).map_err(|error| Failure::config(error.message))
    }
}

#[cfg(test)]
mod tests;
