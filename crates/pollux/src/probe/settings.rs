//! The settings for a server, to be pasted into the settings file.

use std::fmt::Write as _;

use pollux_model::ServerKind;
use pollux_types::untrusted::visible;

use super::Calls;
use crate::provider::Place;

/// What was found out.
pub(super) struct Found<'a> {
    pub(super) place: &'a Place,
    pub(super) kind: Option<ServerKind>,
    pub(super) model: &'a str,
    pub(super) calls: &'a Calls,
    pub(super) context: Option<u64>,
}

/// What the checks are about.
pub(super) fn head(place: &Place, model: Option<&str>) -> String {
    let model = model.map_or_else(String::new, |model| format!("{model} at "));
    visible(&format!("{model}{}", place.address())).into_owned()
}

/// The settings in TOML, with a word on where they go.
pub(super) fn text(found: &Found<'_>) -> String {
    let Found {
        place,
        kind,
        model,
        calls,
        context,
    } = found;
    let name = match kind {
        Some(kind) if place.is_unnamed() => kind.profile().name,
        _ if place.is_unnamed() => "mine",
        _ => place.name.as_str(),
    };
    let mut text = String::from("Settings for ~/.pollux/config.toml:\n\n");
    let mut set = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            writeln!(text, "{key} = {}", visible(&value)).expect("a String takes any text");
        }
    };
    set("provider", Some(quoted(name)));
    set(
        "model",
        Some(format!(
            "{}\n\n[providers.{name}]\nkind = {}",
            quoted(model),
            quoted(place.kind())
        )),
    );
    set("base_url", Some(quoted(place.address())));
    set("api_key_env", place.key_variable.as_deref().map(quoted));
    let way = match calls {
        Calls::Native(_) => Some("native"),
        Calls::Text => Some("text"),
        Calls::No | Calls::Unknown => None,
    };
    set("tool_calls", way.map(quoted));
    set("profile", kind.map(|kind| quoted(kind.profile().name)));
    set("context_window", context.map(|tokens| tokens.to_string()));
    text.truncate(text.trim_end().len());
    text
}

/// A string in TOML, which has the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
