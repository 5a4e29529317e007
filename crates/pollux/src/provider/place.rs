//! A server that is settled on, and how to talk to a model there.

use std::sync::Arc;
use std::time::Duration;

use pollux_model::{DEFAULT_IDLE, Endpoint, Key, Model, ModelInfo, TextTools};
use pollux_store::{ProviderSettings, Settings};

use super::ways::{self, Ways};
use super::{Chosen, PROVIDERS, Provider};
use crate::args::ToolCalls;
use crate::failure::Failure;
use crate::local::Local;

/// A server, and what is wanted of it.
pub(crate) struct Place {
    pub(crate) name: String,
    /// Where it is, if not where its provider usually is.
    pub(crate) base_url: Option<String>,
    /// What it is asked for, if anybody has said so.
    pub(crate) model: Option<String>,
    pub(super) key: Option<Key>,
    /// What to do where the key is refused.
    pub(super) key_hint: Option<String>,
    pub(super) tool_calls: Option<ToolCalls>,
    /// What is set for it.
    pub(super) own: ProviderSettings,
    pub(super) provider: &'static Provider,
}

impl Place {
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
            key: None,
            key_hint: None,
            tool_calls,
            own: ProviderSettings::default(),
            provider,
        }
    }

    /// The model, ready to be talked to. Opens no connection.
    pub(crate) fn connect(self, settings: &Settings) -> Result<Chosen, Failure> {
        let provider = self.provider;
        let model = match (&self.model, &self.base_url) {
            (Some(model), _) => model.clone(),
            (None, Some(url)) if provider.serves_anything => {
                let message = format!("which model of {url} shall answer?");
                return Err(Failure::usage(message).hint("name it with `--model` or POLLUX_MODEL"));
            }
            (None, _) => provider.default_model.to_owned(),
        };
        let endpoint = self.endpoint(model, settings)?;
        let ways = Ways::of(&self.name, &self.own, &endpoint.base_url)?;
        let connected = (provider.connect)(endpoint, ways);
        let model = connected.map_err(|error| Failure::usage(error.message))?;
        Ok(Chosen {
            model: self.with_text_calls(model),
            base_url: self.base_url,
            found: None,
        })
    }

    /// The model with whatever reads the calls that it writes as text.
    fn with_text_calls(&self, model: Arc<dyn Model>) -> Arc<dyn Model> {
        let provider = self.provider;
        // The provider itself knows its models; of what stands elsewhere nothing is known.
        let usual = match &self.base_url {
            Some(_) => ToolCalls::Auto,
            None => ToolCalls::Native,
        };
        match self.tool_calls.unwrap_or(usual) {
            ToolCalls::Native if self.base_url.is_none() => model,
            ToolCalls::Native => Arc::new(TextTools::native(model)),
            ToolCalls::Auto if provider.serves_anything => {
                Arc::new(TextTools::auto(model, provider.guidance))
            }
            ToolCalls::Auto => Arc::new(TextTools::careful(model, provider.guidance)),
            ToolCalls::Text => Arc::new(TextTools::text(model, provider.guidance)),
        }
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
        let base_url = self.base_url.as_deref().unwrap_or(self.provider.base_url);
        let mut endpoint = Endpoint {
            no_think,
            key: self.key.clone(),
            key_hint: self.key_hint.clone(),
            idle: idle.unwrap_or(DEFAULT_IDLE),
            ..Endpoint::new(info, base_url)
        };
        ways::add_extras(&self.name, &self.own, &mut endpoint)?;
        Ok(endpoint)
    }
}
