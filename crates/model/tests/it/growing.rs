//! Bodies that grow are the same as if they were written from nothing.

use std::sync::Arc;

use pollux_model::{Guidance, Model, TextTools};
use pollux_testkit::{ModelServer, Protocol, Turn};
use pollux_types::{CallId, FunctionCall, FunctionResponse, Message, Part, Response, Role};
use proptest::prelude::*;
use serde_json::json;

use super::support::{ask_again, model};

/// What becomes of the conversation before the next request.
#[derive(Clone, Debug)]
enum Change {
    Add(Message),
    /// What is taken back, or left out from now on.
    Remove(usize),
    /// The model adds to its own words.
    GoOn(String),
}

fn part() -> impl Strategy<Value = Part> {
    let id = || "[a-c]".prop_map(CallId::new);
    prop_oneof![
        "[a-z \"\\\\é]{0,6}".prop_map(Part::text),
        ("[a-z]{0,3}", proptest::option::of("[a-z]{1,3}"))
            .prop_map(|(text, signature)| Part::Thought { text, signature }),
        id().prop_map(|id| Part::FunctionCall(FunctionCall {
            id,
            name: "read_file".into(),
            args: json!({"file_path": "a"}).as_object().unwrap().clone(),
            signature: None,
        })),
        id().prop_map(|id| Part::FunctionResponse(FunctionResponse {
            id,
            name: "read_file".into(),
            response: Response::Output("alpha".into()),
        })),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let role = prop_oneof![Just(Role::User), Just(Role::Model)];
    let message = (role, proptest::collection::vec(part(), 0..4))
        .prop_map(|(role, parts)| Message { role, parts });
    prop_oneof![
        4 => message.prop_map(Change::Add),
        1 => (0..4_usize).prop_map(Change::Remove),
        1 => "[a-z]{1,4}".prop_map(Change::GoOn),
    ]
}

fn apply(change: Change, messages: &mut Vec<Arc<Message>>) {
    match change {
        Change::Add(message) => messages.push(Arc::new(message)),
        Change::Remove(at) if at < messages.len() => drop(messages.remove(at)),
        Change::GoOn(words) => {
            if let Some(last) = messages.last_mut() {
                Arc::make_mut(last).push(Part::text(words));
            }
        }
        Change::Remove(_) => {}
    }
}

/// Sends each state of the conversation with a model that has seen the ones before, and with one
/// that has not.
async fn bodies(protocol: Protocol, text: bool, changes: Vec<Change>) -> Vec<[String; 2]> {
    let turns = changes
        .iter()
        .flat_map(|_| [Turn::text(["a"]), Turn::text(["b"])]);
    let server = ModelServer::speaking(protocol, turns);
    let guidance = match protocol {
        Protocol::Gemini => Guidance::FirstUser,
        Protocol::OpenAi | Protocol::Anthropic | Protocol::Ollama => Guidance::System,
    };
    let new = || -> Arc<dyn Model> {
        let model = model(&server, protocol);
        if text {
            Arc::new(TextTools::text(model, guidance))
        } else {
            model
        }
    };
    let old = new();
    let mut messages = Vec::new();
    for change in changes {
        apply(change, &mut messages);
        ask_again(&*old, &messages).await;
        ask_again(&*new(), &messages).await;
    }
    let requests = server.requests();
    let pairs = requests.chunks(2);
    pairs
        .map(|pair| [pair[0].text().to_owned(), pair[1].text().to_owned()])
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn a_body_is_the_same_as_if_written_from_nothing(
        changes in proptest::collection::vec(change(), 1..10),
        text in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for protocol in Protocol::ALL {
            for [grown, fresh] in runtime.block_on(bodies(protocol, text, changes.clone())) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&grown).is_ok(), "{grown}");
                prop_assert_eq!(grown, fresh, "{:?}", protocol);
            }
        }
    }
}
