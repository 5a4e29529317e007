//! A stored session, told again.

use std::sync::Arc;

use pollux_store::Home;
use pollux_testkit::{Project, ScriptedReply};
use pollux_tools::{Reach, Registry, Sandbox, ShellLimits, Workspace};
use pollux_types::{
    Again, CallStatus, CallView, Command, Event, Message, Part, Todo, TodoStatus, Told,
};
use serde_json::json;

use super::support::{Bench, record, told};

/// What can be called in a project.
fn tools(project: &Project) -> Registry {
    let workspace = Arc::new(Workspace::new(project.path(), &[]).unwrap());
    let reach = Reach::new(pollux_model::http_client);
    Registry::builtin(workspace, ShellLimits::default(), Sandbox::off(), reach)
}

/// The call that was told last.
fn last_call(again: &Again) -> CallView {
    let told = again.told.iter().filter_map(|told| match told {
        Told::Event(event) => Some((**event).clone()),
        Told::Prompt(_) => None,
    });
    ended(told).pop().unwrap()
}

/// The calls as they were told, with the words that are kept of them.
fn ended(events: impl Iterator<Item = Event>) -> Vec<CallView> {
    let views = events.filter_map(|event| match event {
        Event::ToolCallUpdate(view) if view.status.is_terminal() => Some(view),
        _ => None,
    });
    views.collect()
}

#[tokio::test]
async fn calls_changes_commands_and_todos_are_told_as_they_were() {
    let edit = json!({"file_path": "a.txt", "old_string": "old", "new_string": "new"});
    let todos = json!({"todos": [{"description": "look", "status": "in_progress"}]});
    let replies = vec![
        ScriptedReply::call("replace", edit)
            .and_call("cat", json!({"file_path": "missing"}))
            .and_call("todowrite", todos),
        ScriptedReply::say("Done."),
        ScriptedReply::say("never"),
    ];
    let project = Project::new().file("a.txt", "old\n");
    let mut bench = Bench::new(project, replies);
    let (events, _) = bench.ask("go").await;
    let before = ended(events.into_iter());
    let run = Command::Run {
        command: "echo hello".into(),
        raw: "! echo hello".into(),
    };
    bench.commands.send(run).await.unwrap();
    let (events, _) = bench.finish().await;
    let ran = events
        .into_iter()
        .find(|e| matches!(e, Event::CommandRan(_)));
    let project = bench.close().await;
    let home = Home::new(project.pollux_home());
    let found = pollux_store::find(&home, project.path(), "latest").unwrap();
    let record = record(&found);
    let again = record.again(&tools(&project));
    assert_eq!(again.left_out, 0);
    let events = || {
        again.told.iter().filter_map(|told| match told {
            Told::Event(event) => Some((**event).clone()),
            Told::Prompt(_) => None,
        })
    };
    let after = ended(events());
    assert_eq!(after.len(), 3);
    for (after, before) in after.iter().zip(&before) {
        let words = |view: &CallView| view.error.as_ref().map(|error| error.message.clone());
        assert_eq!(words(after), words(before));
        // What sort of failure it was matters to scripts only.
        let error = after.error.clone();
        assert_eq!(
            *after,
            CallView {
                error,
                ..before.clone()
            }
        );
    }
    assert!(after[0].changes[0].diff.contains("+new"));
    let prompts: Vec<_> = again
        .told
        .iter()
        .filter(|told| matches!(told, Told::Prompt(_)))
        .collect();
    let prompt = |text: &str| Told::Prompt(text.into());
    assert_eq!(prompts, [&prompt("go"), &prompt("! echo hello")]);
    let retold = events().find(|event| matches!(event, Event::CommandRan(_)));
    let told_of = |event: Option<Event>| told(&[event.unwrap()]);
    assert_eq!(told_of(retold), told_of(ran));
    let look = Todo {
        description: "look".into(),
        status: TodoStatus::InProgress,
    };
    assert_eq!(record.todos(), [look]);
}

#[tokio::test]
async fn the_list_comes_back_with_its_session() {
    let write = |description: &str| {
        let todos = json!({"todos": [{"description": description, "status": "pending"}]});
        ScriptedReply::call("write_todos", todos)
    };
    let read = || ScriptedReply::call("read_todos", json!({}));
    let other = pollux_testkit::ScriptedModel::new(vec![read(), ScriptedReply::say("ok")]);
    let options = super::support::Options {
        others: vec![other],
        ..Default::default()
    };
    let replies = vec![
        write("first"),
        ScriptedReply::say("one"),
        read(),
        write("second"),
        ScriptedReply::say("two"),
    ];
    let mut bench = Bench::with(Project::new(), replies, options);
    bench.ask("go").await;
    bench.commands.send(Command::NewSession).await.unwrap();
    let (events, _) = bench.ask("go").await;
    let none = events.iter().find_map(|event| match event {
        Event::SessionChanged { todos, .. } => Some(todos.len()),
        _ => None,
    });
    assert_eq!(none, Some(0));
    let outputs = |events: Vec<Event>| {
        let views = ended(events.into_iter());
        views[0].output.clone().unwrap_or_default()
    };
    assert_eq!(outputs(events), "The todo list is empty.");
    let resume = Command::Resume("s".into());
    bench.commands.send(resume).await.unwrap();
    let (events, _) = bench.ask("go").await;
    let first = events.iter().find_map(|event| match event {
        Event::SessionChanged { todos, .. } => Some(todos[0].description.clone()),
        _ => None,
    });
    assert_eq!(first.as_deref(), Some("first"));
    assert_eq!(outputs(events), "The todo list:\n1. [pending] first\n");
}

#[tokio::test]
async fn of_a_long_session_the_newest_is_told() {
    let project = Project::new();
    let bench = Bench::new(project, vec![]);
    let project = bench.close().await;
    let home = Home::new(project.pollux_home());
    let mut record = pollux_agent::Record {
        session: pollux_types::SessionId::new("s"),
        log: pollux_store::SessionLog::create(
            &home,
            project.path(),
            super::support::header(&project),
        ),
        history: vec![],
        calls: vec![],
    };
    assert_eq!(record.again(&tools(&project)), Again::default());
    let said = |text: &str| Message::user(vec![Part::text(text)]);
    let call = pollux_types::FunctionCall {
        id: pollux_types::CallId::new("c"),
        name: "read_file".into(),
        args: [].into_iter().collect(),
        signature: None,
    };
    let result = pollux_types::FunctionResponse {
        id: call.id.clone(),
        name: call.name.clone(),
        response: pollux_types::Response::Output("x".repeat(90_000)),
    };
    record.history = vec![
        said("first"),
        Message::model(vec![Part::FunctionCall(call.clone())]),
        Message::user(vec![Part::FunctionResponse(result)]),
        Message::model(vec![Part::text("a".repeat(97_500))]),
        said("last"),
    ];
    // Of a result only the beginning counts, which is all that anybody sees.
    assert_eq!(record.again(&tools(&project)).left_out, 1);
    // Nobody is told of results without their call.
    record.history[4] = said(&"b".repeat(200));
    assert_eq!(record.again(&tools(&project)).left_out, 3);
    // Something is always told.
    record.history[4] = said(&"b".repeat(200_000));
    assert_eq!(record.again(&tools(&project)).left_out, 4);
    // Of a call without a result, and without a record, there is little to tell.
    record.history = vec![said("go"), Message::model(vec![Part::FunctionCall(call)])];
    let again = record.again(&tools(&project));
    let view = last_call(&again);
    assert_eq!(
        (view.name.as_str(), view.status),
        ("read_file", CallStatus::Error)
    );
    let message = &view.error.as_ref().unwrap().message;
    assert!(message.starts_with("Interrupted: "), "{message}");
    // But what it was about, its arguments say.
    let args = json!({"command": "make all"});
    let unfinished = pollux_types::FunctionCall {
        id: pollux_types::CallId::new("d"),
        name: "bash".into(),
        args: args.as_object().unwrap().clone(),
        signature: None,
    };
    record.history[1] = Message::model(vec![Part::FunctionCall(unfinished)]);
    let again = record.again(&tools(&project));
    let view = last_call(&again);
    assert_eq!(
        (view.name.as_str(), view.summary.as_str()),
        ("run_shell_command", "make all")
    );
}

#[tokio::test]
async fn a_refusal_stays_one_and_what_was_attached_is_told() {
    let write = json!({"file_path": "b.txt", "content": "b"});
    let replies = vec![ScriptedReply::call("write_file", write)];
    let project = Project::new()
        .file("a.txt", "one\ntwo\nContent from @go:\n")
        .file("src/x.txt", "x\n")
        .file("src/y.txt", "y\n");
    let options = super::support::Options {
        approval: pollux_types::ApprovalMode::Default,
        asks: true,
        ..Default::default()
    };
    let mut bench = Bench::with(project, replies, options);
    let is_read = |event: &Event| match event {
        Event::ToolCallUpdate(view) if view.output.is_some() => Some(view.clone()),
        _ => None,
    };
    bench.submit("go on @a.txt, @src/ and @a.txt").await;
    let attached = [bench.wait_for(is_read).await, bench.wait_for(is_read).await];
    let question = bench.question().await;
    bench
        .decide(&question, pollux_types::Decision::Refuse)
        .await;
    let (events, _) = bench.finish().await;
    let refused = ended(events.into_iter());
    let project = bench.close().await;
    let home = Home::new(project.pollux_home());
    let found = pollux_store::find(&home, project.path(), "latest").unwrap();
    let again = record(&found).again(&tools(&project));
    let retold = again.told.into_iter().filter_map(|told| match told {
        Told::Event(event) => Some(*event),
        Told::Prompt(_) => None,
    });
    let retold = ended(retold);
    let seen = |view: &CallView| (view.name.clone(), view.summary.clone(), view.output.clone());
    assert_eq!(retold.len(), 3);
    let lines = |view: &CallView| view.output.as_deref().unwrap().lines().count();
    for (retold, before) in retold.iter().zip(&attached) {
        assert_eq!(seen(retold), seen(before));
        assert!(lines(before) >= 4);
    }
    assert_eq!(retold[2].error, refused[0].error);
    assert_eq!(
        refused[0].error.as_ref().unwrap().kind,
        pollux_types::ToolErrorKind::Refused
    );
}
