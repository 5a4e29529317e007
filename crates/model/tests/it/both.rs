//! What must be the same whichever protocol a model speaks.

use pollux_model::Delta;
use pollux_testkit::{Gate, ModelServer, Protocol, Turn};
use pollux_types::{FinishReason, FunctionCall, Usage};
use serde_json::json;

use super::support::{model, say_hi};

fn turn() -> Turn {
    Turn::text_then_calls(
        "Let me löök.",
        [
            ("read_file", json!({"file_path": "a \"quoted\" ü.txt"})),
            ("read_file", json!({"file_path": "b"})),
        ],
    )
    .thought("**Plan** read both")
    .thought("**Then** answer")
    .usage(10, 5)
}

fn shape(deltas: Vec<Delta>) -> Vec<Delta> {
    // Ids and the moment of the usage report are the provider's affair.
    let mut deltas: Vec<Delta> = deltas
        .into_iter()
        .map(|delta| match delta {
            Delta::Call(FunctionCall { name, args, .. }) => Delta::Call(FunctionCall {
                id: pollux_types::CallId::new(""),
                name,
                args,
                signature: None,
            }),
            delta => delta,
        })
        .collect();
    deltas.sort_by_key(|delta| matches!(delta, Delta::Usage(_)));
    deltas
}

#[tokio::test]
async fn one_turn_gives_the_same_deltas_in_every_protocol() {
    let mut shapes = Vec::new();
    for protocol in Protocol::ALL {
        let server = ModelServer::speaking(protocol, [turn()]);
        let (deltas, error) = say_hi(&*model(&server, protocol)).await;
        assert_eq!(error, None);
        shapes.push(shape(deltas));
    }
    for other in &shapes[1..] {
        assert_eq!(&shapes[0], other);
    }
    let usage = Usage {
        input: 10,
        output: 5,
        ..Usage::default()
    };
    assert_eq!(shapes[0].last(), Some(&Delta::Usage(usage)));
    assert_eq!(
        shapes[0][0],
        Delta::Thought {
            text: "**Plan** read both".into(),
            signature: None
        }
    );
    assert_eq!(shapes[0][2], Delta::Text("Let me löök.".into()));
    assert_eq!(
        shapes[0]
            .iter()
            .filter(|delta| matches!(delta, Delta::Call(_)))
            .count(),
        2
    );
    assert!(shapes[0].contains(&Delta::Finish {
        reason: FinishReason::ToolCalls,
        detail: None
    }));
}

#[tokio::test]
async fn how_the_bytes_are_cut_changes_nothing() {
    for protocol in Protocol::ALL {
        let mut seen = Vec::new();
        for size in [1, 2, 3, 7, 1024] {
            let server = ModelServer::start(vec![turn().reply(protocol).rechunk(size)]);
            let (deltas, error) = say_hi(&*model(&server, protocol)).await;
            assert_eq!(error, None);
            seen.push(shape(deltas));
        }
        assert!(
            seen.windows(2).all(|pair| pair[0] == pair[1]),
            "{protocol:?}: {seen:#?}"
        );
    }
}

#[tokio::test]
async fn words_come_before_the_reply_is_complete() {
    use futures_util::StreamExt;
    for protocol in Protocol::ALL {
        let gate = Gate::new();
        let turn = Turn::text(["early"]).gate(&gate).and_text(" late");
        let server = ModelServer::speaking(protocol, [turn]);
        let model = model(&server, protocol);
        let request = pollux_model::Request {
            system: "",
            tools: &[],
            messages: vec![],
        };
        let mut reply = model.reply(request);
        let first = loop {
            if let Delta::Text(text) = reply.next().await.unwrap().unwrap() {
                break text;
            }
        };
        assert_eq!(first, "early", "{protocol:?}");
        gate.open();
        let rest: Vec<_> = reply.collect().await;
        assert!(rest.iter().all(Result::is_ok));
    }
}

#[tokio::test]
async fn a_connection_is_used_again() {
    for protocol in Protocol::ALL {
        let server =
            ModelServer::speaking(protocol, [Turn::text(["a"]), Turn::text(["b"]), turn()]);
        let model = model(&server, protocol);
        for _ in 0..3 {
            let (_, error) = say_hi(&*model).await;
            assert_eq!(error, None);
        }
        let connections: Vec<usize> = server
            .requests()
            .iter()
            .map(|request| request.connection)
            .collect();
        assert_eq!(connections, [0, 0, 0], "{protocol:?}");
    }
}

#[tokio::test]
async fn dropping_a_reply_closes_its_connection() {
    use futures_util::StreamExt;
    for protocol in Protocol::ALL {
        let gate = Gate::new();
        let server = ModelServer::speaking(protocol, [Turn::text(["a"]).gate(&gate)]);
        let model = model(&server, protocol);
        let request = pollux_model::Request {
            system: "",
            tools: &[],
            messages: vec![],
        };
        let mut reply = model.reply(request);
        reply.next().await.unwrap().unwrap();
        drop(reply);
        server.closed(0).await;
    }
}
