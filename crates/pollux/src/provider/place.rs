//! A server that is settled on, and how to talk to a model there.

use std::sync::Arc;
use std::time::Duration;

use pollux_model::{
    Catalogue, DEFAULT_IDLE, Directory, Endpoint, Inquiry, Key, Model, ModelInfo, Protocol,
    TextTools, Ways,
};
use pollux_store::{ProviderSettings, Settings};
use tokio::time::timeout;

use super::ways;
use super::{Chosen, PROVIDERS, Provider, Source};
use crate::args::ToolCalls;
use crate::failure::Failure;
use crate::local::Local;

/// How long a server may take to list its models.
const PATIENCE: Duration = Duration::from_secs(3);
/// How many of them are named where one has to be chosen.
const NAMED: usize = 10;

/// A server, and what is wanted of it.
pub(crate) struct Place {
    pub(crate) name: String,
    /// Where it is, if not where its provider usually is.
    pub(crate) base_url: Option<String>,
    /// What it is asked for, if anybody has said so.
    pub(crate) model: Option<String>,
    /// Who says that it is this one.
    pub(crate) source: Source,
    pub(super) key: Option<Key>,
    /// The variable that its key is from.
    pub(crate) key_variable: Option<String>,
    /// What to do where the key is refused.
    pub(crate) key_hint: String,
    pub(super) tool_calls: Option<ToolCalls>,
    /// What is set for it.
    pub(crate) own: ProviderSettings,
    pub(super) provider: &'static Provider,
}

impl Place {
    /// What to do where a server that was found wants a key: nobody has said which.
    pub(super) const FOUND_HINT: &str =
        "no key was sent: name the server in the settings, with `api_key_env`";

    /// A server on this machine, which is like one of OpenAI's at another address.
    pub(crate) fn found(found: &Local, tool_calls: Option<ToolCalls>) -> Self {
        let mut providers = PROVIDERS.iter();
        let provider = providers
            .find(|provider| provider.name == "openai")
            .expect("it is in the table");
        Self {
            name: provider.name.to_owned(),
            base_url: Some(found.base_url.clone()),
            model: Some(found.model.clone()),
            source: Source::Found,
            key: None,
            key_variable: None,
            key_hint: Self::FOUND_HINT.to_owned(),
            tool_calls,
            own: ProviderSettings {
                profile: found.kind.map(|kind| kind.profile().name.to_owned()),
                ..ProviderSettings::default()
            },
            provider,
        }
    }

    /// The model that is asked for, or else the only one that there is.
    pub(crate) async fn choose(&self, settings: &Settings) -> Result<Chosen, Failure> {
        let model = match self.wanted_model() {
            Some(model) => model.to_owned(),
            None => self.only_model(settings).await?,
        };
        self.connect(model, settings)
    }

    /// What there is, where that leaves no choice.
    async fn only_model(&self, settings: &Settings) -> Result<String, Failure> {
        let listed = self.models(settings).await;
        let which = Failure::usage(format!("which model of {} shall answer?", self.address()));
        let name_it = "name it with `--model` or POLLUX_MODEL";
        let catalogue = match listed {
            Ok(catalogue) => catalogue,
            Err(why) => return Err(which.hint(format!("{name_it}; no list of them: {why}"))),
        };
        let talking = catalogue.models.iter().filter(|model| model.chats);
        let names: Vec<&str> = talking.map(|model| model.id.as_str()).collect();
        match names.as_slice() {
            [only] => Ok((*only).to_owned()),
            [] => Err(which.hint(format!("{name_it}; the server lists none"))),
            several => {
                let shown = several[..several.len().min(NAMED)].join(", ");
                let more = match several.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                Err(which.hint(format!("{name_it}; there are: {shown}{more}")))
            }
        }
    }

    /// What it has, or why that is not known. Takes [`PATIENCE`] at most.
    pub(crate) async fn models(&self, settings: &Settings) -> Result<Catalogue, String> {
        let directory = self.directory(settings);
        let directory = directory.map_err(|failure| failure.message)?;
        match timeout(PATIENCE, directory.models()).await {
            Err(_) => Err(format!("{} does not answer", self.address())),
            Ok(listed) => listed.map_err(|error| error.to_string()),
        }
    }

    /// Whether it lists the model that is asked for; `None` if nobody can tell.
    pub(crate) async fn lists_it(&self, settings: &Settings) -> Option<bool> {
        let model = self.model.as_deref()?;
        let catalogue = self.models(settings).await.ok()?;
        (!catalogue.models.is_empty()).then(|| catalogue.get(model).is_some())
    }

    /// A model of it, ready to be talked to. Opens no connection.
    pub(crate) fn connect(&self, model: String, settings: &Settings) -> Result<Chosen, Failure> {
        let provider = self.provider;
        let set = self.own.context_window;
        let window = match &self.base_url {
            None => provider.window(&model),
            Some(_) => None,
        };
        let window = set.and_then(|set| usize::try_from(set).ok()).or(window);
        let model = self.reach(model, settings)?;
        Ok(Chosen {
            model: self.with_text_calls(model, settings),
            base_url: self.base_url.clone(),
            found: None,
            window,
        })
    }

    /// The model with whatever reads the calls that it writes as text.
    fn with_text_calls(&self, model: Arc<dyn Model>, settings: &Settings) -> Arc<dyn Model> {
        let provider = self.provider;
        // The provider itself knows its models; of what stands elsewhere nothing is known.
        let usual = match &self.base_url {
            Some(_) => ToolCalls::Auto,
            None => ToolCalls::Native,
        };
        let understood = |tools: TextTools| -> Arc<dyn Model> {
            match settings.text_calls.preserve_context {
                Some(false) => Arc::new(tools.only_calls()),
                _ => Arc::new(tools),
            }
        };
        let guidance = provider.guidance;
        match self.tool_calls.unwrap_or(usual) {
            ToolCalls::Native if self.base_url.is_none() => model,
            ToolCalls::Native => Arc::new(TextTools::native(model)),
            ToolCalls::Auto if provider.serves_anything => {
                understood(TextTools::auto(model, guidance))
            }
            ToolCalls::Auto => understood(TextTools::careful(model, guidance)),
            ToolCalls::Text => understood(TextTools::text(model, guidance)),
        }
    }

    /// The address.
    pub(crate) fn address(&self) -> &str {
        self.base_url.as_deref().unwrap_or(self.provider.base_url)
    }

    /// The name of the protocol in settings.
    pub(crate) fn kind(&self) -> &'static str {
        self.provider.name
    }

    /// Whether the settings have a section for it.
    pub(crate) fn is_configured(&self) -> bool {
        !self.own.kind.is_empty()
    }

    /// The name of the profile that it is talked to with.
    pub(crate) fn profile(&self) -> Option<&'static str> {
        self.ways().ok().map(|ways| ways.profile.name)
    }

    /// Whether it is only known by its address.
    pub(crate) fn is_unnamed(&self) -> bool {
        self.base_url.is_some() && self.name == self.provider.name
    }

    /// The model that is asked for without looking at what there is.
    pub(crate) fn wanted_model(&self) -> Option<&str> {
        let any = self.base_url.is_some() && self.provider.serves_anything;
        let usual = (!any).then_some(self.provider.default_model);
        self.model.as_deref().or(usual)
    }

    /// For asking what there is. Opens no connection.
    pub(crate) fn directory(&self, settings: &Settings) -> Result<Directory, Failure> {
        let endpoint = self.endpoint(String::new(), settings)?;
        let protocol = match self.provider.protocol {
            Protocol::OpenAi if self.ways()?.profile.own_interface => Protocol::Ollama,
            protocol => protocol,
        };
        Directory::new(protocol, endpoint).map_err(|error| Failure::usage(error.message))
    }

    /// For finding out about a model. Opens no connection.
    pub(crate) fn inquiry(&self, model: &str, settings: &Settings) -> Result<Inquiry, Failure> {
        let endpoint = self.endpoint(model.to_owned(), settings)?;
        Inquiry::new(self.provider.protocol, endpoint, self.ways()?)
            .map_err(|error| Failure::usage(error.message))
    }

    /// A model that is told about its tools in words. Opens no connection.
    pub(crate) fn in_words(
        &self,
        model: &str,
        settings: &Settings,
    ) -> Result<Arc<dyn Model>, Failure> {
        let model = self.reach(model.to_owned(), settings)?;
        Ok(Arc::new(TextTools::text(model, self.provider.guidance)))
    }

    /// The model as it is, without anybody to read calls out of its text.
    fn reach(&self, model: String, settings: &Settings) -> Result<Arc<dyn Model>, Failure> {
        let endpoint = self.endpoint(model, settings)?;
        let connected = (self.provider.connect)(endpoint, self.ways()?);
        connected.map_err(|error| Failure::usage(error.message))
    }

    /// What it wants beside its protocol.
    fn ways(&self) -> Result<Ways, Failure> {
        ways::of(&self.name, &self.own, self.address())
    }

    /// How `model` is reached there.
    fn endpoint(&self, model: String, settings: &Settings) -> Result<Endpoint, Failure> {
        // A day is as good as for ever, and no clock overflows.
        let idle = settings.retry.idle_timeout_secs;
        let idle = idle.map(|seconds| Duration::from_secs(seconds.clamp(1, 24 * 60 * 60)));
        let think = &settings.think;
        let no_think =
            (think.enabled == Some(false) && Endpoint::heeds_no_think(&model)).then(|| {
                let marker = think.marker.as_deref();
                marker.unwrap_or(Endpoint::NO_THINK).to_owned()
            });
        let info = ModelInfo {
            provider: self.name.clone(),
            model,
        };
        let mut endpoint = Endpoint {
            no_think,
            key: self.key.clone(),
            key_hint: Some(self.key_hint.clone()),
            idle: idle.unwrap_or(DEFAULT_IDLE),
            ..Endpoint::new(info, self.address())
        };
        ways::add_extras(&self.name, &self.own, &mut endpoint)?;
        Ok(endpoint)
    }
}
