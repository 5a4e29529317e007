//! What says who is to answer: flags, a session, variables or settings.

use pollux_model::Offline;
use pollux_store::{Answering, Settings};

use super::{PROVIDERS, Provider, Source, Surroundings, is_provider};
use crate::args::{Args, ToolCalls};

/// What to go by. Nothing is set unless somebody has set it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(super) provider: Option<String>,
    pub(super) model: Option<String>,
    pub(super) base_url: Option<String>,
    pub(super) tool_calls: Option<ToolCalls>,
    /// The address is settled: where none is given, it is the provider's own.
    pub(super) settled: bool,
    /// The server was found, and is not to get a key that somebody may have set since.
    pub(super) keyless: bool,
    /// Who has set it.
    pub(crate) source: Source,
}

impl Wanted {
    /// One source decides for provider, model and address together, or a key would go to somebody
    /// else's server: the flags if they name a place, else the resumed session, else what is set.
    pub(crate) fn new(
        args: &Args,
        surroundings: &Surroundings<'_>,
        resumed: Option<&Answering>,
    ) -> Self {
        let Surroundings {
            environment,
            settings,
        } = surroundings;
        let flags = Self {
            provider: args.provider.clone(),
            model: args.model.clone(),
            base_url: args.base_url.clone(),
            tool_calls: args.tool_calls,
            settled: false,
            keyless: false,
            source: Source::Flags,
        }
        .split(settings);
        let resumed = resumed.filter(|resumed| resumed.provider != Answering::LOST);
        if flags.provider.is_some() || flags.base_url.is_some() {
            return flags;
        }
        if let Some(resumed) = resumed {
            let same = Self::as_before(resumed, flags.tool_calls);
            return Self {
                model: flags.model.or(same.model),
                ..same
            };
        }
        let var = |name| environment.var(name).map(str::to_owned);
        let decides = [
            (
                var("POLLUX_PROVIDER").is_some(),
                Source::Variable("POLLUX_PROVIDER"),
            ),
            (settings.provider.is_some(), Source::Settings),
            (flags.model.is_some(), Source::Flags),
            (
                var("POLLUX_MODEL").is_some(),
                Source::Variable("POLLUX_MODEL"),
            ),
            (settings.model.is_some(), Source::Settings),
        ];
        let decides = decides.into_iter().find(|(set, _)| *set);
        let set = Self {
            source: decides.map_or(Source::Nobody, |(_, source)| source),
            provider: var("POLLUX_PROVIDER").or_else(|| settings.provider.clone()),
            model: flags
                .model
                .or_else(|| var("POLLUX_MODEL"))
                .or_else(|| settings.model.clone()),
            base_url: None,
            tool_calls: flags.tool_calls,
            settled: false,
            keyless: false,
        };
        set.split(settings)
    }

    /// What a session was talking to.
    pub(crate) fn as_before(answering: &Answering, tool_calls: Option<ToolCalls>) -> Self {
        Self {
            provider: Some(answering.provider.clone()),
            model: Some(answering.model.clone()),
            base_url: answering.base_url.clone(),
            tool_calls,
            settled: true,
            keyless: answering.found,
            source: Source::Session,
        }
    }

    /// Another model while a session runs: one of the same server, unless `name` tells that it is
    /// somebody else's.
    pub(crate) fn instead(
        answering: &Answering,
        name: &str,
        settings: &Settings,
        tool_calls: Option<ToolCalls>,
    ) -> Self {
        let named = Self {
            model: Some(name.to_owned()),
            tool_calls,
            source: Source::Flags,
            ..Self::default()
        }
        .split(settings);
        let own = |provider: &Provider| provider.makes(name);
        let is_own = |provider: &Provider| provider.name == answering.provider && own(provider);
        let is_at_home = answering.base_url.is_none();
        let elsewhere = name == Offline::NAME
            || answering.provider == Offline::NAME
            || (is_at_home && PROVIDERS.iter().any(own) && !PROVIDERS.iter().any(is_own));
        if named.provider.is_some() || elsewhere {
            return named;
        }
        Self {
            model: named.model,
            ..Self::as_before(answering, tool_calls)
        }
    }

    /// Whether it is a model of the same server.
    pub(crate) fn stays_with(&self, answering: &Answering) -> bool {
        self.provider.as_deref() == Some(&answering.provider) && self.base_url == answering.base_url
    }

    /// Whether this provider, which is known to nobody, may be the one that is asked for.
    pub(crate) fn names(&self, provider: &str) -> bool {
        let in_model = self
            .model
            .as_deref()
            .and_then(|model| model.split_once('/'));
        self.provider.as_deref() == Some(provider)
            || in_model.is_some_and(|(first, _)| first == provider)
    }

    /// Takes `provider/model` apart, if no provider is named otherwise.
    fn split(mut self, settings: &Settings) -> Self {
        let parts = self
            .model
            .as_deref()
            .and_then(|model| model.split_once('/'));
        if let (None, Some((provider, model))) = (&self.provider, parts)
            && (is_provider(provider) || settings.providers.contains_key(provider))
        {
            // `provider/` means its usual model.
            let model = (!model.is_empty()).then(|| model.to_owned());
            (self.provider, self.model) = (Some(provider.to_owned()), model);
        }
        self
    }
}
