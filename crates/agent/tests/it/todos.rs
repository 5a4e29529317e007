//! The todo list of a session.

use pollux_testkit::{Gate, Project, ScriptedReply};
use pollux_types::{
    ApprovalMode, CallStatus, CallView, Command, Event, Mode, PromptEnd, Todo, TodoStatus,
    ToolErrorKind,
};
use serde_json::{Value, json};

use super::support::{Bench, Options};

fn list(description: &str) -> Value {
    json!({"todos": [{"description": description, "status": "in_progress"}]})
}

fn write(description: &str) -> ScriptedReply {
    ScriptedReply::call("write_todos", list(description))
}

fn read() -> ScriptedReply {
    ScriptedReply::call("read_todos", json!({}))
}

/// The calls that have ended, in order.
fn ended(events: &[Event]) -> Vec<CallView> {
    let views = events.iter().filter_map(|event| match event {
        Event::ToolCallUpdate(view) if view.status.is_terminal() => Some(view.clone()),
        _ => None,
    });
    views.collect()
}

fn todo(description: &str) -> Vec<Todo> {
    vec![Todo {
        description: description.to_owned(),
        status: TodoStatus::InProgress,
    }]
}

#[tokio::test]
async fn the_list_is_told_and_read_back() {
    // Those of one reply come one after the other.
    let reply = write("look").and_call("todoread", json!({}));
    let reply = reply.and_call("todowrite", list("mend"));
    let replies = vec![
        reply,
        ScriptedReply::say("one"),
        read(),
        ScriptedReply::say("two"),
    ];
    let mut bench = Bench::new(Project::new(), replies);
    let (events, _) = bench.ask("go").await;
    let views = ended(&events);
    assert_eq!(views[0].todos, Some(todo("look")));
    assert_eq!(views[1].todos, None);
    assert_eq!(
        views[1].output.as_deref(),
        Some("The todo list:\n1. [in_progress] look\n")
    );
    assert_eq!(views[2].name, "write_todos");
    assert_eq!(views[2].todos, Some(todo("mend")));
    let (events, _) = bench.ask("and?").await;
    let told = "The todo list:\n1. [in_progress] mend\n";
    assert_eq!(ended(&events)[0].output.as_deref(), Some(told));
}

#[tokio::test]
async fn nobody_is_asked_in_any_mode() {
    for mode in [Mode::Build, Mode::Plan] {
        let options = Options {
            mode,
            approval: ApprovalMode::Default,
            asks: true,
            ..Options::default()
        };
        let replies = vec![
            write("look").and_call("read_todos", json!({})),
            ScriptedReply::say("ok"),
        ];
        let mut bench = Bench::with(Project::new(), replies, options);
        let (events, end) = bench.ask("go").await;
        assert_eq!(end, PromptEnd::Completed);
        let statuses: Vec<_> = ended(&events).iter().map(|view| view.status).collect();
        assert_eq!(statuses, [CallStatus::Success; 2], "{mode:?}");
        let offered = &bench.model.asked()[0].tools;
        for name in ["write_todos", "read_todos"] {
            assert!(offered.contains(&name.to_owned()), "{mode:?}: {offered:?}");
        }
    }
}

#[tokio::test]
async fn broken_arguments_change_nothing() {
    let two =
        json!([{"description": "a", "status": "doing"}, {"description": "b", "status": "doing"}]);
    let replies = vec![
        write("look"),
        ScriptedReply::call("write_todos", json!({"todos": two})),
        read(),
        ScriptedReply::say("ok"),
    ];
    let mut bench = Bench::new(Project::new(), replies);
    let (events, _) = bench.ask("go").await;
    let views = ended(&events);
    let error = views[1].error.as_ref().unwrap();
    assert_eq!(error.kind, ToolErrorKind::InvalidToolParams);
    assert_eq!(views[1].todos, None);
    let told = "The todo list:\n1. [in_progress] look\n";
    assert_eq!(views[2].output.as_deref(), Some(told));
}

/// What S3.37 tells whoever presses Esc.
#[tokio::test]
async fn cancelling_leaves_the_list_unless_the_call_was_done() {
    let gate = Gate::new();
    let slow = json!({"command": "sleep 1000"});
    let replies = vec![
        write("look").and_call("run_shell_command", slow.clone()),
        ScriptedReply::new()
            .gate(&gate)
            .and_call("write_todos", list("never")),
        ScriptedReply::call("run_shell_command", slow).and_call("write_todos", list("neither")),
        read(),
        ScriptedReply::say("ok"),
    ];
    let mut bench = Bench::new(Project::new(), replies);
    let runs = |event: &Event| match event {
        Event::ToolCallUpdate(view) => {
            let is_slow = view.name == "run_shell_command";
            (is_slow && view.status == CallStatus::Executing).then_some(())
        }
        _ => None,
    };
    // It was done when the command was stopped,
    bench.submit("go").await;
    bench.wait_for(runs).await;
    bench.commands.send(Command::Cancel).await.unwrap();
    assert_eq!(bench.finish().await.1, PromptEnd::UserCancelled);
    // was not even asked for when the reply was,
    bench.submit("go on").await;
    gate.reached().await;
    bench.commands.send(Command::Cancel).await.unwrap();
    assert_eq!(bench.finish().await.1, PromptEnd::UserCancelled);
    // and waited for the command.
    bench.submit("go on").await;
    bench.wait_for(runs).await;
    bench.commands.send(Command::Cancel).await.unwrap();
    assert_eq!(bench.finish().await.1, PromptEnd::UserCancelled);
    let (events, _) = bench.ask("and now?").await;
    let told = "The todo list:\n1. [in_progress] look\n";
    assert_eq!(ended(&events)[0].output.as_deref(), Some(told));
}
