//! What both JSON formats say of notices and errors.

use pollux_types::Event;
use pollux_types::event::NoticeKind;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The fields of a notice, if the event is one. `discard` tells that what has come so far of the
/// reply that is coming in, if one is, does not count.
pub(super) fn notice(event: &Event) -> Option<Value> {
    Some(match event {
        Event::Retry {
            attempt,
            attempts,
            wait,
            reason,
        } => json!({
            "kind": "retry", "attempt": attempt, "attempts": attempts,
            "delay_ms": u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
            "discard": true, "message": reason,
        }),
        Event::ModelChanged {
            provider,
            model,
            reason,
        } => json!({
            "kind": "model_changed", "provider": provider, "model": model,
            "discard": true, "message": reason,
        }),
        Event::WasThought => json!({
            "kind": "was_thought", "discard": true,
            "message": "the content of this reply so far was a thought",
        }),
        Event::Notice { kind, message } => json!({"kind": kind, "message": message}),
        _ => return None,
    })
}

/// The notices that came before a session could start.
pub(super) fn early_notices(failure: Option<&Failure>) -> impl Iterator<Item = Value> {
    let notes = failure.into_iter().flat_map(|failure| &failure.notes);
    notes.map(|note| json!({"kind": NoticeKind::BadSetting, "message": note}))
}

/// The fields of an error.
pub(super) fn error(failure: &Failure) -> Value {
    let mut fields = json!({
        "type": failure.exit.word(),
        "message": failure.message,
        "code": failure.exit.code(),
    });
    if let Some(hint) = &failure.hint {
        fields["hint"] = json!(hint);
    }
    fields
}
