//! What is seen of a call while it runs.

use std::time::{Duration, Instant};

use pollux_testkit::{Project, ScriptedReply};
use pollux_types::{CallStatus, CallView, Event};
use serde_json::json;

use super::support::{Bench, Options};

fn running(command: &str) -> Bench {
    let call = ScriptedReply::call("run_shell_command", json!({"command": command}));
    let replies = vec![call, ScriptedReply::say("ok")];
    Bench::with(Project::new(), replies, Options::default())
}

/// What was seen of calls while they ran.
fn seen(events: &[Event]) -> Vec<&CallView> {
    let updates = events.iter().filter_map(|event| match event {
        Event::ToolCallUpdate(view) => Some(view),
        _ => None,
    });
    updates.filter(|view| view.live.is_some()).collect()
}

#[tokio::test]
async fn a_running_command_is_seen_at_work() {
    let mut bench = running(
        "printf 'get\\n 1%%\\r 2%%'; until test -e go; do sleep 0.01; done; printf '\\r 3%%\\n'",
    );
    bench.submit("go").await;
    let wanted = |event: &Event| match event {
        Event::ToolCallUpdate(view) => view.live.as_ref()?.contains('2').then(|| view.clone()),
        _ => None,
    };
    let view = bench.wait_for(wanted).await;
    assert_eq!(view.live.as_deref(), Some("get\n 2%"));
    assert_eq!(view.status, CallStatus::Executing);
    bench.project.write("go", "");
    let (events, _) = bench.finish().await;
    let last = events.iter().rev().find_map(|event| match event {
        Event::ToolCallUpdate(view) => Some(view),
        _ => None,
    });
    let last = last.unwrap();
    assert_eq!((last.status, &last.live), (CallStatus::Success, &None));
    assert_eq!(last.output.as_deref(), Some("get\n 1%\r 2%\r 3%\n"));
}

#[tokio::test]
async fn a_flood_is_seen_now_and_then() {
    let mut bench = running("yes | head -c 50000000");
    let begin = Instant::now();
    let (events, _) = bench.ask("go").await;
    let most = begin.elapsed().as_millis() / Duration::from_millis(50).as_millis() + 1;
    let seen = seen(&events);
    assert!(
        !seen.is_empty() && seen.len() as u128 <= most,
        "{}",
        seen.len()
    );
    assert!(
        seen.iter()
            .all(|view| view.live.as_ref().unwrap().len() < 100)
    );
}

#[tokio::test]
async fn where_nothing_is_printed_nothing_is_seen() {
    let mut bench = running("true");
    let (events, _) = bench.ask("go").await;
    assert_eq!(seen(&events), Vec::<&CallView>::new());
}
