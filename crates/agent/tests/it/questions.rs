//! Questions of the model to the person.

use pollux_testkit::{Project, ScriptedReply};
use pollux_types::{Command, Event, Mode, PromptEnd, Question};
use serde_json::json;

use super::support::{Bench, Options};

fn asks(text: &str) -> serde_json::Value {
    let options = json!([{"label": "red"}, {"label": "green", "description": "like grass"}]);
    json!({"questions": [{"question": text, "options": options}]})
}

fn bench(asking: bool) -> Bench {
    let replies = vec![
        ScriptedReply::call("question", asks("One?")).and_call("ask_user", asks("Two?")),
        ScriptedReply::say("Done."),
    ];
    let options = Options {
        asks: asking,
        ..Options::default()
    };
    Bench::with(Project::new(), replies, options)
}

async fn asked(bench: &mut Bench) -> Vec<Question> {
    bench
        .wait_for(|event| match event {
            Event::QuestionsAsked { questions } => Some(questions.clone()),
            _ => None,
        })
        .await
}

#[tokio::test]
async fn questions_are_put_one_call_after_the_other() {
    let mut bench = bench(true);
    bench.submit("go").await;
    let first = asked(&mut bench).await;
    assert_eq!(first[0].question, "One?");
    assert_eq!(
        first[0].options[1].description.as_deref(),
        Some("like grass")
    );
    // What is said meanwhile is heard, and is no answer.
    bench
        .commands
        .send(Command::Mode(Mode::Plan))
        .await
        .unwrap();
    let answer = |answers| Command::Answer(answers);
    let red = answer(Some(vec!["red".to_owned()]));
    bench.commands.send(red).await.unwrap();
    assert_eq!(asked(&mut bench).await[0].question, "Two?");
    bench.commands.send(answer(None)).await.unwrap();
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: call_1=question{"questions":[{"question":"One?","options":[{"label":"red"},{"label":"green","description":"like grass"}]}]} call_2=ask_user{"questions":[{"question":"Two?","options":[{"label":"red"},{"label":"green","description":"like grass"}]}]}
    user: call_1 -> "One?\nanswer: red" call_2 -> "The user has dismissed the questions, and all answers so far. Go on without, and do not ask them again."
    "#);
}

#[tokio::test]
async fn where_nobody_is_the_model_goes_by_its_own_judgment() {
    let mut bench = bench(false);
    bench.submit("go").await;
    let (events, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    let put = |event: &Event| matches!(event, Event::QuestionsAsked { .. });
    assert!(!events.iter().any(put));
    let sent = bench.sent(1);
    assert_eq!(sent.matches("Nobody can be asked.").count(), 2, "{sent}");
}

#[tokio::test]
async fn cancelling_ends_a_question() {
    let mut bench = bench(true);
    bench.submit("go").await;
    asked(&mut bench).await;
    bench.commands.send(Command::Cancel).await.unwrap();
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::UserCancelled);
}

#[tokio::test]
async fn a_question_without_a_choice_is_none() {
    let none = json!({"questions": []});
    let one = json!({"questions": [{"question": "?", "options": [{"label": "yes"}]}]});
    let replies = vec![
        ScriptedReply::call("question", none).and_call("question", one),
        ScriptedReply::say("Done."),
    ];
    let mut bench = Bench::with(Project::new(), replies, Options::default());
    bench.submit("go").await;
    bench.finish().await;
    let sent = bench.sent(1);
    assert!(sent.contains("there is none"), "{sent}");
    assert!(sent.contains("at least two"), "{sent}");
}
