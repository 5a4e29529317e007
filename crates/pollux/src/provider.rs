//! Which model answers: flags first, then what a resumed session used, then the environment, then
//! whatever there is: a server on this machine (`local.rs`), or else the offline model.

mod anyone;
mod fallback;
mod known;
mod place;
mod wanted;
mod ways;

use std::fmt;
use std::sync::Arc;

use clap::ValueEnum as _;

use pollux_model::{
    Anthropic, Endpoint, Gemini, Guidance, Key, Model, ModelInfo, Offline, Ollama, OpenAi,
    Protocol, Ways,
};

use pollux_store::{Answering, ProviderSettings, Settings};

use crate::args::ToolCalls;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::local;

pub(crate) use anyone::Anyone;
pub(crate) use fallback::stand_ins;
pub(crate) use known::{known_models, known_providers, place_of, stranger};
pub(crate) use place::Place;
pub(crate) use wanted::Wanted;

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
    /// How many tokens they take, by the beginnings of their names.
    windows: &'static [(&'static str, usize)],
    /// Other servers speak its protocol too, so behind another address may be any model.
    serves_anything: bool,
    /// Where its models are told about tools that they cannot call natively.
    guidance: Guidance,
    protocol: Protocol,
    connect: fn(Endpoint, Ways) -> Result<Arc<dyn Model>, pollux_model::ModelError>,
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
        windows: &[("gemini-", 1_048_576)],
        serves_anything: false,
        guidance: Guidance::FirstUser,
        protocol: Protocol::Gemini,
        connect: |endpoint, _| Ok(Arc::new(Gemini::new(endpoint)?)),
    },
    Provider {
        name: "openai",
        keys: &["OPENAI_API_KEY"],
        base_url_var: "OPENAI_BASE_URL",
        base_url: OpenAi::BASE_URL,
        default_model: "gpt-5",
        model_names: &["gpt-", "chatgpt-", "o1", "o3", "o4"],
        windows: &[
            ("gpt-5", 400_000),
            ("gpt-4.1", 1_047_576),
            ("gpt-4o", 128_000),
            ("o1", 200_000),
            ("o3", 200_000),
            ("o4", 200_000),
        ],
        serves_anything: true,
        guidance: Guidance::System,
        protocol: Protocol::OpenAi,
        connect: chat_completions,
    },
    Provider {
        name: "anthropic",
        keys: &["ANTHROPIC_API_KEY"],
        base_url_var: "ANTHROPIC_BASE_URL",
        base_url: Anthropic::BASE_URL,
        default_model: "claude-sonnet-4-5",
        model_names: &["claude-"],
        windows: &[("claude-", 200_000)],
        serves_anything: false,
        guidance: Guidance::System,
        protocol: Protocol::Anthropic,
        connect: |endpoint, _| Ok(Arc::new(Anthropic::new(endpoint)?)),
    },
];

/// Servers that have an interface of their own are asked there for what only it can do.
fn chat_completions(
    endpoint: Endpoint,
    ways: Ways,
) -> Result<Arc<dyn Model>, pollux_model::ModelError> {
    Ok(match ways.own_window() {
        Some(tokens) => Arc::new(Ollama::new(endpoint, tokens)?),
        None => Arc::new(OpenAi::new(endpoint, ways.profile)?),
    })
}

/// A model, and where it is if not where its provider usually is.
pub(crate) struct Chosen {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) base_url: Option<String>,
    /// Nobody has chosen it: it was found on this machine, and this is to be told.
    pub(crate) found: Option<String>,
    /// How many tokens it takes, where that is known.
    pub(crate) window: Option<usize>,
}

/// Who is to answer, as far as that is settled without asking anybody.
pub(crate) enum Located {
    /// The model that is built in.
    Offline,
    /// Nothing says so: whoever answers on this machine.
    Anyone(Anyone),
    /// A model behind an address.
    At(Box<Place>),
}

/// Who says where to ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Source {
    /// Nobody.
    #[default]
    Nobody,
    Flags,
    /// The session that is resumed.
    Session,
    /// This variable.
    Variable(&'static str),
    Settings,
    /// Found on this machine.
    Found,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "nothing is configured",
            Self::Flags => "from the flags",
            Self::Session => "from the session",
            Self::Variable(name) => return write!(f, "from {name}"),
            Self::Settings => "from the settings",
            Self::Found => "found on this machine",
        })
    }
}

/// What choosing depends on besides the flags.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) settings: &'a Settings,
}

/// A protocol with a place to speak it.
struct Server {
    name: String,
    protocol: &'static Provider,
    base_url: Option<String>,
    keys: Vec<String>,
    /// What is set for it.
    own: ProviderSettings,
}

/// The model to talk to. Asks the servers on this machine if nothing says whom to ask, and the one
/// that is settled on if nothing says for which model.
pub(crate) async fn choose(located: Located, settings: &Settings) -> Result<Chosen, Failure> {
    match located {
        Located::Offline => Ok(Chosen::offline()),
        Located::At(place) => place.choose(settings).await,
        Located::Anyone(anyone) => anyone.choose(settings).await,
    }
}

/// Where that model is. Opens no connection.
pub(crate) fn locate(
    mut wanted: Wanted,
    surroundings: Surroundings<'_>,
) -> Result<Located, Failure> {
    let Surroundings {
        environment,
        settings,
    } = surroundings;
    let set_up = || {
        let mut set_up = PROVIDERS
            .iter()
            .filter_map(|provider| Some((provider, provider.set_up_by(environment)?)));
        set_up.next()
    };
    let server = match (wanted.provider.as_deref(), wanted.model.as_deref()) {
        (Some(Offline::NAME), _) | (None, Some(Offline::NAME)) => return Ok(Located::Offline),
        (Some(name), _) => Server::named(name, settings)?,
        // A bare address is that of a server like OpenAI's, whatever keys there are.
        (None, _) if wanted.base_url.is_some() => Server::of(by_name("openai", settings)?),
        (None, Some(model)) => match for_model(model, environment) {
            Ok(provider) => Server::of(provider),
            Err(failure) if local::is_off(&settings.local) => return Err(failure),
            Err(failure) => {
                return Ok(Located::Anyone(Anyone {
                    model: Some((model.to_owned(), failure)),
                    tool_calls: wanted.tool_calls,
                }));
            }
        },
        (None, None) => match set_up() {
            Some((provider, variable)) => {
                wanted.source = Source::Variable(variable);
                Server::of(provider)
            }
            None if local::is_off(&settings.local) => return Ok(Located::Offline),
            None => {
                return Ok(Located::Anyone(Anyone {
                    model: None,
                    tool_calls: wanted.tool_calls,
                }));
            }
        },
    };
    let place = server.place(wanted, environment)?;
    Ok(Located::At(Box::new(place)))
}

fn is_provider(name: &str) -> bool {
    name == Offline::NAME || PROVIDERS.iter().any(|provider| provider.name == name)
}

fn by_name(name: &str, settings: &Settings) -> Result<&'static Provider, Failure> {
    PROVIDERS
        .iter()
        .find(|provider| provider.name == name)
        .ok_or_else(|| {
            let mut names: Vec<&str> = PROVIDERS.iter().map(|provider| provider.name).collect();
            names.push(Offline::NAME);
            names.extend(settings.providers.keys().map(String::as_str));
            let failure = Failure::usage(format!("unknown provider `{name}`"));
            match pollux_types::nearest(name, names.iter().copied()) {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint(format!("there are: {}", names.join(", "))),
            }
        })
}

/// The provider whose model it is by its name, or else the first that is set up.
fn for_model(model: &str, environment: &Environment) -> Result<&'static Provider, Failure> {
    let own = |provider: &&Provider| provider.makes(model);
    let is_set_up = |provider: &&Provider| provider.set_up_by(environment).is_some();
    let found = match PROVIDERS.iter().find(own) {
        // Open models may be called so too, and be served by anybody.
        Some(own) if !is_set_up(&own) => return Err(Server::of(own).no_key()),
        Some(own) => Some(own),
        None => PROVIDERS.iter().find(is_set_up),
    };
    found.ok_or_else(|| {
        Failure::auth(format!("who serves the model `{model}`?")).hint(
            "name the provider with `--provider`, or the address of a server with `--base-url`",
        )
    })
}

impl Provider {
    /// Whether a model is its own, by its name.
    fn makes(&self, model: &str) -> bool {
        let mut names = self.model_names.iter();
        names.any(|start| model.starts_with(start))
    }

    /// How many tokens its own model of that name takes, where that is known.
    fn window(&self, model: &str) -> Option<usize> {
        let mut windows = self.windows.iter();
        windows
            .find(|(start, _)| model.starts_with(start))
            .map(|(_, tokens)| *tokens)
    }

    /// The variable with a key or an address for it.
    fn set_up_by(&self, environment: &Environment) -> Option<&'static str> {
        let mut vars = self.keys.iter().copied().chain([self.base_url_var]);
        vars.find(|name| environment.var(name).is_some())
    }
}

impl Server {
    /// The provider itself.
    fn of(protocol: &'static Provider) -> Self {
        Self {
            name: protocol.name.to_owned(),
            protocol,
            base_url: None,
            keys: protocol
                .keys
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            own: ProviderSettings::default(),
        }
    }

    /// A server of the user's own, or else the provider of that name.
    fn named(name: &str, settings: &Settings) -> Result<Self, Failure> {
        let Some(own) = settings.providers.get(name) else {
            return by_name(name, settings).map(Self::of);
        };
        let mut protocols = PROVIDERS.iter();
        let protocol = protocols
            .find(|provider| provider.name == own.kind)
            .ok_or_else(|| {
                let message = format!("providers.{name}.kind: `{}` is no protocol", own.kind);
                Failure::config(message).hint("there are: gemini, openai, anthropic")
            })?;
        Ok(Self {
            name: name.to_owned(),
            protocol,
            base_url: own.base_url.clone(),
            keys: own.api_key_env.iter().cloned().collect(),
            own: own.clone(),
        })
    }

    /// The key, and the variable that holds it.
    fn key<'a>(&'a self, environment: &Environment) -> Result<Option<(Key, &'a String)>, Failure> {
        let set = self
            .keys
            .iter()
            .find_map(|name| Some((name, environment.var(name)?)));
        let Some((name, text)) = set else {
            return Ok(None);
        };
        let key = Key::new(text.trim()).map(|key| Some((key, name)));
        key.ok_or_else(|| {
            Failure::auth(format!("{name} holds characters that no key has"))
                .hint("copy the key again; look for quotes, line breaks and odd characters")
        })
    }

    /// What to do where the server does not accept the key of that variable, or the lack of one.
    fn key_hint(&self, from: Option<&String>) -> String {
        match from {
            Some(name) => {
                format!("the key in {name} was sent: check it, and what it is allowed to do")
            }
            None if self.keys.is_empty() => format!(
                "no key was sent: name the variable that holds it with `providers.{}.api_key_env`",
                self.name
            ),
            None => format!("no key was sent: set {}", self.keys.join(" or ")),
        }
    }

    /// Why it cannot be asked without a key.
    fn no_key(&self) -> Failure {
        let name = &self.name;
        if self.keys.is_empty() {
            return Failure::config(format!("the provider `{name}` has no address")).hint(format!(
                "set `providers.{name}.base_url`, and `providers.{name}.api_key_env` if it wants a key"
            ));
        }
        let message = format!("no API key for the provider `{name}`");
        let keys = self.keys.join(" or ");
        Failure::auth(message).hint(format!("set {keys}; or try `--provider offline`"))
    }

    fn place(self, wanted: Wanted, environment: &Environment) -> Result<Place, Failure> {
        let key = if wanted.keyless {
            None
        } else {
            self.key(environment)?
        };
        let (key, key_from) = key.unzip();
        let key_hint = if wanted.keyless {
            Place::FOUND_HINT.to_owned()
        } else {
            self.key_hint(key_from)
        };
        let key_variable = key_from.cloned();
        let no_key = self.no_key();
        let Self {
            name,
            protocol: provider,
            base_url,
            own,
            ..
        } = self;
        let var = || environment.var(provider.base_url_var).map(str::to_owned);
        let elsewhere = match wanted.base_url {
            None if wanted.settled => None,
            flag => flag.or(base_url).or_else(var),
        };
        if key.is_none() && elsewhere.is_none() {
            return Err(no_key);
        }
        let word = own.tool_calls.as_deref();
        let set = word.map(|word| tool_calls(&name, word)).transpose()?;
        Ok(Place {
            name,
            base_url: elsewhere,
            model: wanted.model,
            source: wanted.source,
            key,
            key_variable,
            key_hint,
            tool_calls: wanted.tool_calls.or(set),
            own,
            provider,
        })
    }
}

impl Chosen {
    fn offline() -> Self {
        Self {
            model: Arc::new(Offline::default()),
            base_url: None,
            found: None,
            window: None,
        }
    }

    /// What a session says of it.
    pub(crate) fn answering(&self) -> Answering {
        let ModelInfo { provider, model } = self.model.info().clone();
        Answering {
            provider,
            model,
            base_url: self.base_url.clone(),
            found: self.found.is_some(),
        }
    }
}

fn tool_calls(provider: &str, word: &str) -> Result<ToolCalls, Failure> {
    ToolCalls::from_str(word, false).map_err(|_| {
        let message = format!("providers.{provider}.tool_calls: `{word}` is no way to call tools");
        Failure::config(message).hint("there are: auto, native, text")
    })
}

/// The variables that hold keys, which no command that a model runs has any business with.
pub(crate) fn key_variables(settings: &Settings) -> Vec<String> {
    let known = PROVIDERS.iter().flat_map(|provider| provider.keys);
    let known = known.map(|name| (*name).to_owned());
    let own = settings
        .providers
        .values()
        .filter_map(|own| own.api_key_env.clone());
    known.chain(own).collect()
}

#[cfg(test)]
mod tests;
