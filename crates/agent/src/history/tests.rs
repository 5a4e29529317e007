//! What is sent, and what a resumed conversation looks like.

use pollux_types::FunctionCall;

use super::*;

/// `u:text` and `m:text` are messages; `m!a` is a call with id `a`, `u=a` its response; `m:` is
/// an empty answer. Several parts are joined by `+`.
fn message(text: &str) -> Message {
    let (role, parts) = text.split_at(1);
    let parts = parts.split('+').filter_map(|part| match part.split_at(1) {
        (":", "") => None,
        (":", text) => Some(Part::text(text)),
        ("!", id) => Some(Part::FunctionCall(FunctionCall {
            id: CallId::new(id),
            name: "t".into(),
            args: serde_json::Map::new(),
            signature: None,
        })),
        (_, id) => Some(Part::FunctionResponse(FunctionResponse {
            id: CallId::new(id),
            name: "t".into(),
            response: Response::Output(String::new()),
        })),
    });
    let parts = parts.collect();
    if role == "u" {
        Message::user(parts)
    } else {
        Message::model(parts)
    }
}

fn shown(message: &Message) -> String {
    let parts: Vec<String> = message
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => format!(":{text}"),
            Part::Thought { text, .. } => format!("~{text}"),
            Part::FunctionCall(call) => format!("!{}", call.id),
            Part::FunctionResponse(response) => match &response.response {
                Response::Output(_) => format!("={}", response.id),
                Response::Error(_) => format!("x{}", response.id),
            },
        })
        .collect();
    let role = if message.role == Role::User { "u" } else { "m" };
    format!("{role}{}", parts.join("+"))
}

#[track_caller]
fn check_sent(recorded: &[&str], sent: &[&str]) {
    let mut history = History::default();
    for text in recorded {
        history.push(message(text));
    }
    let curated: Vec<String> = history.curated().into_iter().map(|m| shown(m)).collect();
    assert_eq!(curated, sent);
}

#[track_caller]
fn check_resumed(stored: &[&str], sent: &[&str]) {
    let history = History::resume(stored.iter().map(|text| message(text)).collect());
    let curated: Vec<String> = history.curated().into_iter().map(|m| shown(m)).collect();
    assert_eq!(curated, sent);
}

#[test]
fn an_unanswered_prompt_is_sent() {
    check_sent(&["u:a"], &["u:a"]);
    check_sent(
        &["u:a", "u:b", "m:c"],
        &["u:a", "m:[interrupted]", "u:b", "m:c"],
    );
}

#[test]
fn an_empty_answer_takes_its_prompt_with_it() {
    check_sent(&["u:a", "m:b", "u:c", "m:", "u:d"], &["u:a", "m:b", "u:d"]);
}

#[test]
fn tool_results_stay_with_their_calls() {
    check_sent(
        &["u:a", "m!1", "u=1", "m:", "u:b"],
        &["u:a", "m!1", "u=1", "m:[interrupted]", "u:b"],
    );
}

#[test]
fn neighbouring_answers_are_one() {
    check_sent(&["u:a", "m:b", "m:c", "m!1"], &["u:a", "m:bc+!1"]);
}

#[test]
fn calls_cut_short_get_a_result() {
    check_resumed(&["u:a", "m!1+!2"], &["u:a", "m!1+!2", "ux1+x2"]);
    check_resumed(&["u:a", "m!1+!2", "u=2"], &["u:a", "m!1+!2", "ux1+=2"]);
    check_resumed(
        &["u:a", "m!1", "u:b"],
        &["u:a", "m!1", "ux1", "m:[interrupted]", "u:b"],
    );
    check_resumed(&["u:a", "m!1", "m!2"], &["u:a", "m!1", "ux1", "m!2", "ux2"]);
}

#[test]
fn results_without_a_call_are_dropped() {
    check_resumed(&["u:a", "u=9+:b"], &["u:a", "m:[interrupted]", "u:b"]);
}

#[test]
fn ids_are_made_unique() {
    let mut history = History::default();
    history.push(message("m!a"));
    let free = |wanted: &str, taken: &[CallId]| {
        history
            .free_id(&CallId::new(wanted), "read", taken)
            .to_string()
    };
    assert_eq!(free("b", &[]), "b");
    assert_eq!(free("a", &[]), "a-1");
    assert_eq!(free("a", &[CallId::new("a-1")]), "a-2");
    assert_eq!(free("", &[]), "read-1");
}

proptest::proptest! {
    /// Whatever a crash left, each call is answered exactly once and right after it.
    #[test]
    fn resumed_conversations_are_paired(stored in proptest::collection::vec("(u:a|u=[1-4]|u=[1-4]\\+=[1-4]|m![1-4]|m:b\\+![1-4]|m:|u=[1-4]\\+:x)", 0..12)) {
        let history = History::resume(stored.iter().map(|text| message(text)).collect());
        let sent = history.curated();
        assert!(sent.windows(2).all(|pair| pair[0].role != pair[1].role), "{sent:?}");
        let mut open: Vec<CallId> = Vec::new();
        for message in sent {
            if message.role == Role::User {
                for response in message.responses() {
                    let at = open.iter().position(|id| *id == response.id);
                    open.remove(at.expect("a response answers an open call"));
                }
            }
            assert!(open.is_empty(), "a call has no response: {open:?}");
            open.extend(message.calls().map(|call| call.id.clone()));
        }
        assert!(open.is_empty());
    }
}
