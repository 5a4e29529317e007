//! What models write, and what comes of it.

use pollux_types::{Todo, TodoStatus};
use serde_json::{Value, json};

use crate::RunContext;
use crate::testing::Project;

async fn written(args: Value) -> Vec<Todo> {
    let output = Project::new().run("write_todos", args).await.unwrap();
    output.todos.unwrap()
}

fn refused(args: Value) -> String {
    match Project::new().plan("write_todos", args) {
        Ok(plan) => panic!("understood: {}", plan.summary()),
        Err(bad) => bad.to_string(),
    }
}

#[tokio::test]
async fn a_list_is_written_and_read_back() {
    let project = Project::new();
    let todos = json!({"todos": [
        {"description": " look ", "status": "completed"},
        {"description": "mend", "status": "in_progress"},
        {"description": "test", "status": "pending"},
        {"description": "rewrite", "status": "cancelled"},
    ]});
    let plan = project.plan("write_todos", todos).unwrap();
    assert_eq!(plan.summary(), "1 of 4 done");
    let output = plan.run(RunContext::default()).await.unwrap();
    insta::assert_snapshot!(output.text, @"
    The todo list:
    1. [completed] look
    2. [in_progress] mend
    3. [pending] test
    4. [cancelled] rewrite
    ");
    let context = RunContext {
        todos: output.todos.unwrap(),
        ..RunContext::default()
    };
    let plan = project.plan("todoread", json!({})).unwrap();
    assert_eq!(plan.run(context).await.unwrap().text, output.text);
}

#[tokio::test]
async fn an_empty_list_is_a_list() {
    let project = Project::new();
    let output = project.run("todo", json!({"todos": []})).await.unwrap();
    assert_eq!(output.todos, Some(vec![]));
    assert_eq!(output.text, "The todo list is empty.");
    assert_eq!(project.text("read_todos", json!({})).await, output.text);
}

#[tokio::test]
async fn other_words_are_understood() {
    let args = json!({"items": [
        {"content": "a", "status": "done", "id": "1", "priority": "high"},
        {"text": "b", "status": "in-progress"},
        {"step": "c"},
        {"task": "d", "state": "canceled"},
    ]});
    let todos = written(args).await;
    let all: Vec<_> = todos
        .iter()
        .map(|todo| (todo.description.as_str(), todo.status))
        .collect();
    let expected = [
        ("a", TodoStatus::Completed),
        ("b", TodoStatus::InProgress),
        ("c", TodoStatus::Pending),
        ("d", TodoStatus::Cancelled),
    ];
    assert_eq!(all, expected);
}

#[test]
fn what_is_no_list_is_refused_with_a_reason() {
    let several = |count: usize, todo: Value| json!({"todos": vec![todo; count]});
    insta::assert_snapshot!(refused(several(2, json!({"description": "a", "status": "in_progress"}))), @"`todos`: 2 are in_progress, and only one can be at a time; write_todos takes todos (array, required)");
    insta::assert_snapshot!(refused(json!({"todos": [{"description": "a"}, {"description": " \n"}]})), @"`todos`: number 2 has no description; write_todos takes todos (array, required)");
    insta::assert_snapshot!(refused(several(101, json!({"description": "a"}))), @"`todos`: there are 101, and at most 100; write_todos takes todos (array, required)");
    insta::assert_snapshot!(refused(several(1, json!({"description": "a".repeat(501)}))), @"`todos`: number 1 is too long: a description has at most 500 characters; write_todos takes todos (array, required)");
    insta::assert_snapshot!(refused(several(1, json!({"status": "pending"}))), @"missing field `description`; write_todos takes todos (array, required)");
    insta::assert_snapshot!(refused(several(1, json!({"description": "a", "status": "soon"}))), @"unknown variant `soon`, expected one of `not_started`, `open`, `pending`, `todo`, `doing`, `in progress`, `in-progress`, `in_progress`, `complete`, `completed`, `done`, `finished`, `canceled`, `cancelled`, `skipped`; write_todos takes todos (array, required)");
    insta::assert_snapshot!(refused(json!({"todos": "look, mend"})), @r#"`todos`: invalid type: string "look, mend", expected a sequence; write_todos takes todos (array, required)"#);
    insta::assert_snapshot!(refused(json!({})), @"missing field `todos`; write_todos takes todos (array, required)");
}

#[tokio::test]
async fn the_longest_list_is_taken() {
    let todo = json!({"description": "é".repeat(500)});
    assert_eq!(written(json!({"todos": vec![todo; 100]})).await.len(), 100);
}
