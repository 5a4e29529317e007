//! What can be chosen without asking anybody.

use std::collections::HashSet;

use pollux_model::Offline;
use pollux_store::Settings;

use super::{PROVIDERS, Place, Provider, Server, Surroundings, Wanted, is_provider};
use crate::environment::Environment;
use crate::failure::Failure;

/// Models that can be named without asking anybody: those of the settings, and the usual ones of
/// those whose keys are there.
pub(crate) fn known_models(settings: &Settings, environment: &Environment) -> Vec<String> {
    let set = &settings.models;
    let named = [&settings.model, &set.strong, &set.fast]
        .into_iter()
        .flatten();
    let has_key = |provider: &&Provider| {
        let mut keys = provider.keys.iter();
        keys.any(|key| environment.var(key).is_some())
    };
    let usual = PROVIDERS.iter().filter(has_key);
    let usual = usual.map(|provider| format!("{}/{}", provider.name, provider.default_model));
    let mut models: Vec<String> = named.chain(&set.fallback).cloned().chain(usual).collect();
    models.push(format!("{0}/{0}", Offline::NAME));
    let mut seen = HashSet::new();
    models.retain(|model| seen.insert(model.clone()));
    models
}

/// Everybody who can be asked by name.
pub(crate) fn known_providers(settings: &Settings) -> Vec<String> {
    let built_in = PROVIDERS.iter().map(|provider| provider.name);
    let built_in = built_in.chain([Offline::NAME]).map(str::to_owned);
    settings.providers.keys().cloned().chain(built_in).collect()
}

/// Where the provider of this name is, or why it cannot be asked.
pub(crate) fn place_of(name: &str, surroundings: Surroundings<'_>) -> Result<Place, Failure> {
    let server = Server::named(name, surroundings.settings)?;
    server.place(Wanted::default(), surroundings.environment)
}

/// What is wrong with the provider that `name` begins with, if nobody is called so.
pub(crate) fn stranger(name: &str, settings: &Settings) -> Option<Failure> {
    let (first, _) = name
        .split_once('/')
        .filter(|(first, _)| !is_provider(first))?;
    Server::named(first, settings).err()
}
