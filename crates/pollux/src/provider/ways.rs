//! How a server is talked to: what is known of it, and what its settings say.

use pollux_model::{Endpoint, Key, Profile, Thoughts, Ways};
use pollux_store::ProviderSettings;
use pollux_types::nearest;

use crate::failure::Failure;

/// The ways of the server at `base_url`. Settings win over what its address tells.
pub(super) fn of(name: &str, own: &ProviderSettings, base_url: &str) -> Result<Ways, Failure> {
    let mut profile = match &own.profile {
        Some(word) => Profile::named(word).ok_or_else(|| {
            let names = Profile::ALL.map(|profile| profile.name);
            unknown(name, "profile", word, &names)
        })?,
        None => Profile::of(base_url),
    };
    if let Some(word) = &own.thoughts {
        profile.thoughts = Thoughts::named(word).ok_or_else(|| {
            let names = ["none", "reasoning_content", "reasoning_details"];
            unknown(name, "thoughts", word, &names)
        })?;
    }
    profile.ask_for_usage = own.ask_for_usage.unwrap_or(profile.ask_for_usage);
    profile.short_ids = own.short_ids.unwrap_or(profile.short_ids);
    Ok(Ways {
        profile,
        context_window: own.context_window.filter(|tokens| *tokens > 0),
    })
}

/// Adds what else is set for this server: headers, fields of the body, the form of the key.
pub(super) fn add_extras(
    name: &str,
    own: &ProviderSettings,
    endpoint: &mut Endpoint,
) -> Result<(), Failure> {
    for (header, value) in &own.headers {
        if !endpoint.add_header(header, value) {
            let message =
                format!("providers.{name}.headers: `{header}` cannot be sent as a header");
            return Err(Failure::config(message));
        }
    }
    match own.auth.as_deref() {
        None | Some("key") => {}
        Some("bearer") => endpoint.key = endpoint.key.take().map(Key::as_token),
        Some(word) => return Err(unknown(name, "auth", word, &["key", "bearer"])),
    }
    endpoint.body = own.body.clone().into_iter().collect();
    Ok(())
}

fn unknown(provider: &str, key: &str, word: &str, names: &[&str]) -> Failure {
    let message = format!("providers.{provider}.{key}: there is no `{word}`");
    let failure = Failure::config(message);
    match nearest(word, names.iter().copied()) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint(format!("there are: {}", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_win_over_what_the_address_tells() {
        let at = |own: &ProviderSettings, url| of("lab", own, url);
        let mut own = ProviderSettings::default();
        let ways = at(&own, "https://api.mistral.ai/v1").unwrap();
        assert!(ways.profile.short_ids && !ways.profile.ask_for_usage);
        assert_eq!(ways.context_window, None);
        own.short_ids = Some(false);
        own.thoughts = Some("reasoning_content".into());
        own.context_window = Some(32_768);
        let ways = at(&own, "https://api.mistral.ai/v1").unwrap();
        assert!(!ways.profile.short_ids && !ways.profile.ask_for_usage);
        assert_eq!(ways.profile.thoughts, Thoughts::ReasoningContent);
        assert_eq!(ways.context_window, Some(32_768));
        own.profile = Some("ollama".into());
        assert!(
            at(&own, "http://gpu.example/v1")
                .unwrap()
                .profile
                .own_interface
        );
    }

    #[test]
    fn a_wrong_word_is_told_with_the_right_ones() {
        let own = ProviderSettings {
            profile: Some("olama".into()),
            ..ProviderSettings::default()
        };
        let failure = of("lab", &own, "").unwrap_err();
        assert_eq!(
            failure.message,
            "providers.lab.profile: there is no `olama`"
        );
        let own = ProviderSettings {
            thoughts: Some("xyz".into()),
            ..ProviderSettings::default()
        };
        let failure = of("lab", &own, "").unwrap_err();
        assert_eq!(failure.message, "providers.lab.thoughts: there is no `xyz`");
    }
}
