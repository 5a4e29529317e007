//! Which model answers: flags first, then what a resumed session used, then the environment, then
//! whatever there is.

use std::sync::Arc;

use pollux_model::{
    Anthropic, DEFAULT_IDLE, Endpoint, Gemini, Key, Model, ModelInfo, Offline, OpenAi,
};

use pollux_store::Header;

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
    /// How the names of its own models begin.
    model_names: &'static [&'static str],
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
        model_names: &["gemini-", "models/gemini-", "gemma-"],
        serves_anything: false,
        connect: |endpoint| Ok(Arc::new(Gemini::new(endpoint)?)),
    },
    Provider {
        name: "openai",
        keys: &["OPENAI_API_KEY"],
        base_url_var: "OPENAI_BASE_URL",
        base_url: OpenAi::BASE_URL,
        default_model: "gpt-5",
        model_names: &["gpt-", "chatgpt-", "o1", "o3", "o4"],
        serves_anything: true,
        connect: |endpoint| Ok(Arc::new(OpenAi::new(endpoint)?)),
    },
    Provider {
        name: "anthropic",
        keys: &["ANTHROPIC_API_KEY"],
        base_url_var: "ANTHROPIC_BASE_URL",
        base_url: Anthropic::BASE_URL,
        default_model: "claude-sonnet-4-5",
        model_names: &["claude-"],
        serves_anything: false,
        connect: |endpoint| Ok(Arc::new(Anthropic::new(endpoint)?)),
    },
];

/// A model, and where it is if not where its provider usually is.
pub(crate) struct Chosen {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) base_url: Option<String>,
}

/// What to go by. Nothing is set unless somebody has set it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    provider: Option<String>,
    model: Option<String>,
    base_url: Option<String>,
}

impl Wanted {
    /// A session goes on where it was, unless the flags lead elsewhere. Variables count for new
    /// sessions only: what was said to one server must not go to another by accident.
    pub(crate) fn new(args: &Args, environment: &Environment, resumed: Option<&Header>) -> Self {
        let flags = Self {
            provider: args.provider.clone(),
            model: args.model.clone(),
            base_url: args.base_url.clone(),
        };
        match resumed {
            Some(header) if header.provider == Header::LOST => flags,
            Some(header) if flags.provider.is_none() && flags.base_url.is_none() => Self {
                provider: Some(header.provider.clone()),
                model: flags.model.or_else(|| Some(header.model.clone())),
                base_url: header.base_url.clone(),
            },
            Some(_) => flags,
            None => {
                let var = |name| environment.var(name).map(str::to_owned);
                Self {
                    provider: flags.provider.or_else(|| var("POLLUX_PROVIDER")),
                    model: flags.model.or_else(|| var("POLLUX_MODEL")),
                    base_url: flags.base_url,
                }
            }
        }
    }

    /// Takes `provider/model` apart, if no provider is named otherwise.
    fn split(mut self) -> Self {
        let parts = self
            .model
            .as_deref()
            .and_then(|model| model.split_once('/'));
        if let (None, Some((provider, model))) = (&self.provider, parts)
            && is_provider(provider)
        {
            (self.provider, self.model) = (Some(provider.to_owned()), Some(model.to_owned()));
        }
        self
    }
}

/// The model to talk to. Opens no connection.
pub(crate) fn choose(wanted: Wanted, environment: &Environment) -> Result<Chosen, Failure> {
    let wanted = wanted.split();
    let offline = || {
        Ok(Chosen {
            model: Arc::new(Offline::default()),
            base_url: None,
        })
    };
    let provider = match (wanted.provider.as_deref(), wanted.model.as_deref()) {
        (Some(Offline::NAME), _) | (None, Some(Offline::NAME)) => return offline(),
        (Some(name), _) => by_name(name)?,
        // A bare address is that of a server like OpenAI's, whatever keys there are.
        (None, _) if wanted.base_url.is_some() => by_name("openai")?,
        (None, Some(model)) => for_model(model, environment)?,
        (None, None) => match PROVIDERS
            .iter()
            .find(|provider| provider.is_set_up(environment))
        {
            Some(provider) => provider,
            None => return offline(),
        },
    };
    provider.connect(wanted, environment)
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

/// The provider whose model it is by its name, or else the first that is set up.
fn for_model(model: &str, environment: &Environment) -> Result<&'static Provider, Failure> {
    let own = |provider: &&Provider| {
        provider
            .model_names
            .iter()
            .any(|start| model.starts_with(start))
    };
    let found = PROVIDERS.iter().find(own);
    found
        .or_else(|| {
            PROVIDERS
                .iter()
                .find(|provider| provider.is_set_up(environment))
        })
        .ok_or_else(|| {
            Failure::auth(format!("who serves the model `{model}`?")).hint(
                "name the provider with `--provider`, or the address of a server with `--base-url`",
            )
        })
}

impl Provider {
    /// Whether there is a key or an address for it.
    fn is_set_up(&self, environment: &Environment) -> bool {
        let mut vars = self.keys.iter().chain([&self.base_url_var]);
        vars.any(|name| environment.var(name).is_some())
    }

    fn key(&self, environment: &Environment) -> Result<Option<Key>, Failure> {
        let set = self
            .keys
            .iter()
            .find_map(|name| Some((name, environment.var(name)?)));
        let Some((name, text)) = set else {
            return Ok(None);
        };
        Key::new(text.trim()).map(Some).ok_or_else(|| {
            Failure::auth(format!("{name} holds characters that no key has"))
                .hint("copy the key again; look for quotes, line breaks and odd characters")
        })
    }

    fn connect(&self, wanted: Wanted, environment: &Environment) -> Result<Chosen, Failure> {
        let var = || environment.var(self.base_url_var).map(str::to_owned);
        let elsewhere = wanted.base_url.or_else(var);
        let key = self.key(environment)?;
        if key.is_none() && elsewhere.is_none() {
            let message = format!("no API key for the provider `{}`", self.name);
            return Err(Failure::auth(message).hint(format!(
                "set {}; or try `--provider offline`",
                self.keys.join(" or ")
            )));
        }
        let model = match (wanted.model, &elsewhere) {
            (Some(model), _) => model,
            (None, Some(url)) if self.serves_anything => {
                let message = format!("which model of {url} shall answer?");
                return Err(Failure::usage(message).hint("name it with `--model` or POLLUX_MODEL"));
            }
            (None, _) => self.default_model.to_owned(),
        };
        let endpoint = Endpoint {
            info: ModelInfo {
                provider: self.name.to_owned(),
                model,
            },
            base_url: elsewhere
                .clone()
                .unwrap_or_else(|| self.base_url.to_owned()),
            key,
            idle: DEFAULT_IDLE,
        };
        let model = (self.connect)(endpoint).map_err(|error| Failure::usage(error.message))?;
        Ok(Chosen {
            model,
            base_url: elsewhere,
        })
    }
}

/// The variables that hold keys, which no command that a model runs has any business with.
pub(crate) fn key_variables() -> Vec<String> {
    let names = PROVIDERS.iter().flat_map(|provider| provider.keys);
    names.map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests;
