//! The settings for a server, to be pasted into the settings file.

use std::fmt::Write as _;
use std::path::Path;

use pollux_model::ServerKind;
use pollux_types::untrusted::visible;

use super::Calls;
use crate::provider::Place;

/// A window that is large enough for work, and that most machines have the memory for.
const ENOUGH: u64 = 32_768;

/// What was found out.
pub(super) struct Found<'a> {
    pub(super) place: &'a Place,
    pub(super) kind: Option<ServerKind>,
    pub(super) model: &'a str,
    pub(super) calls: &'a Calls,
    /// How many tokens the model was made to read.
    pub(super) trained: Option<u64>,
}

/// What the checks are about.
pub(super) fn head(place: &Place, model: Option<&str>) -> String {
    let model = model.map_or_else(String::new, |model| format!("{model} at "));
    visible(&format!("{model}{}", place.address())).into_owned()
}

/// The settings in TOML, with a word on where in `file` they go.
pub(super) fn text(found: &Found<'_>, file: &Path) -> String {
    let file = file.display();
    let text = if found.place.is_configured() {
        let changes = changes(found);
        let table = key(&found.place.name);
        if changes.is_empty() {
            format!("The settings of [providers.{table}] in {file} fit.\n")
        } else {
            format!("Settings for [providers.{table}] in {file}:\n\n{changes}")
        }
    } else {
        format!("Settings for {file}:\n\n{}", whole(found))
    };
    visible(text.trim_end()).into_owned()
}

/// Everything that a server needs that nothing is set for.
fn whole(found: &Found<'_>) -> String {
    let Found {
        place, kind, model, ..
    } = found;
    let name = match kind {
        _ if !place.is_unnamed() => place.name.as_str(),
        Some(kind) => kind.profile().name,
        None => "mine",
    };
    let mut lines = Lines::default();
    lines.set("provider", Some(quoted(name)));
    lines.set("model", Some(quoted(model)));
    if place.is_unnamed() {
        lines.table(&key(name));
        lines.set("kind", Some(quoted(place.kind())));
        lines.set("base_url", Some(quoted(place.address())));
        lines.set("api_key_env", place.key_variable.as_deref().map(quoted));
        lines.set("tool_calls", way(found.calls).map(quoted));
        lines.set("profile", kind.map(|kind| quoted(kind.profile().name)));
        lines.set("context_window", window(found).map(|size| size.to_string()));
    }
    lines.0
}

/// What would have to be set in another way.
fn changes(found: &Found<'_>) -> String {
    let Found { place, kind, .. } = found;
    let own = &place.own;
    let mut lines = Lines::default();
    let moved = place.base_url.is_some() && own.base_url != place.base_url;
    lines.set("base_url", moved.then(|| quoted(place.address())));
    let calls = way(found.calls).filter(|way| match own.tool_calls.as_deref() {
        // Both can do what was seen.
        None | Some("auto" | "native") => *way == "text",
        Some(set) => *way != set,
    });
    lines.set("tool_calls", calls.map(quoted));
    let profile = kind.map(|kind| kind.profile().name);
    let other = profile.filter(|name| place.profile().is_some_and(|known| known != *name));
    lines.set("profile", other.map(quoted));
    let window = window(found).filter(|size| own.context_window != Some(*size));
    lines.set("context_window", window.map(|size| size.to_string()));
    lines.0
}

/// A call that came natively once may come as text the next time.
fn way(calls: &Calls) -> Option<&'static str> {
    match calls {
        Calls::Native(_) => Some("auto"),
        Calls::Text => Some("text"),
        Calls::No | Calls::Unknown => None,
    }
}

/// The context window to ask for, where that is possible: never less than what is set.
fn window(found: &Found<'_>) -> Option<u64> {
    let takes_it = found.kind.is_some_and(|kind| kind.profile().own_interface);
    let good = found.trained.map(|trained| trained.min(ENOUGH));
    good.max(found.place.own.context_window)
        .filter(|_| takes_it)
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn table(&mut self, provider: &str) {
        writeln!(self.0, "\n[providers.{provider}]").expect("a String takes any text");
    }

    fn set(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            writeln!(self.0, "{key} = {value}").expect("a String takes any text");
        }
    }
}

/// A key in TOML.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A string in TOML, which has the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_toml_wants_it() {
        assert_eq!(key("lab-2"), "lab-2");
        assert_eq!(key("my.lab"), "\"my.lab\"");
        assert_eq!(key(""), "\"\"");
    }
}
