//! Commands that the sandbox refuses something, and what a person says to that.
//!
//! The sandbox here is made up, so that it refuses exactly what the test says; the real one is
//! asked in the tests of the binary.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use pollux_testkit::{Project, ScriptedReply};
use pollux_tools::{BadArgs, Effects, Grant, Outcome, Output, Plan, RunContext, Script, Tool};
use pollux_types::{ApprovalMode, CallStatus, Command, Decision, Event, Proposal, ToolSpec};
use serde_json::{Map, Value, json};

use super::support::{Bench, Options};

/// A command that needs all of these, finds them missing one after the other, and notes on what terms
/// it ran.
#[derive(Clone)]
struct Needy {
    spec: ToolSpec,
    command: String,
    dir: PathBuf,
    needs: Vec<Grant>,
    /// It cannot be planned twice.
    breaks: bool,
    /// It ends when it is cancelled.
    waits: bool,
    runs: Arc<Mutex<Vec<Vec<Grant>>>>,
}

impl Needy {
    fn new(needs: &[Grant]) -> Self {
        Self {
            spec: ToolSpec {
                name: "needy".into(),
                ..ToolSpec::default()
            },
            command: "make it".into(),
            dir: PathBuf::new(),
            needs: needs.to_vec(),
            breaks: false,
            waits: false,
            runs: Arc::default(),
        }
    }

    fn runs(&self) -> Vec<Vec<Grant>> {
        self.runs.lock().unwrap().clone()
    }

    fn bench(&self, approval: ApprovalMode, asks: bool) -> Bench {
        let project = Project::new();
        let here = Self {
            dir: project.path().to_owned(),
            ..self.clone()
        };
        let options = Options {
            approval,
            asks,
            tools: vec![Arc::new(here)],
            ..Options::default()
        };
        let replies = vec![
            ScriptedReply::call("needy", json!({})),
            ScriptedReply::say("ok"),
        ];
        Bench::with(project, replies, options)
    }
}

impl Tool for Needy {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn plan(&self, _args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        assert!(!self.breaks || self.runs().is_empty(), "planned again");
        Ok(Box::new(self.clone()))
    }
}

impl Plan for Needy {
    fn effects(&self) -> Effects {
        Effects {
            script: Some(Script {
                command: self.command.clone(),
                dir: self.dir.clone(),
            }),
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        self.command.clone()
    }

    fn revised(&self, command: String) -> Option<Box<dyn Plan>> {
        Some(Box::new(Self {
            command,
            ..self.clone()
        }))
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        let mut runs = self.runs.lock().unwrap();
        runs.push(context.granted.clone());
        let lacks = self.needs.get(context.granted.len()).cloned();
        let text = if lacks.is_some() {
            "failed\n"
        } else {
            "made\n"
        };
        let output = Output {
            lacks,
            ..Output::text(text)
        };
        let waits = self.waits;
        Box::pin(async move {
            if waits {
                context.cancel.cancelled().await;
            }
            Ok(output)
        })
    }
}

fn write(path: &str) -> Grant {
    Grant::Write(path.into())
}

/// Whether there is another question before the prompt ends.
async fn is_asked(bench: &mut Bench) -> bool {
    let which = |event: &Event| match event {
        Event::ApprovalNeeded(_) => Some(true),
        Event::PromptEnded(_) => Some(false),
        _ => None,
    };
    bench.wait_for(which).await
}

#[tokio::test]
async fn each_missing_permission_is_asked_for_and_given_to_this_run() {
    let missing = [write("/absent/out"), Grant::Network];
    let needy = Needy::new(&missing);
    let mut bench = needy.bench(ApprovalMode::Yolo, true);
    bench.submit("go").await;
    let first = bench.question().await;
    assert_eq!(
        first.reasons,
        [
            "what the sandbox refused: writing `/absent/out` (a guess, by what it printed)",
            "it has run: yes runs it again with this allowed, and what it has done may happen twice",
        ]
    );
    assert!(matches!(&first.proposal, Proposal::Exec { command, .. } if command == "make it"));
    assert!(!first.dangerous && first.always.is_empty());
    assert_eq!((first.printed.as_str(), &first.once), ("failed", &None));
    bench.decide(&first, Decision::Approve).await;
    let second = bench.question().await;
    assert!(second.reasons[0].contains("the network, all of it"));
    assert_ne!(first.fingerprint, second.fingerprint);
    // A yes to the one is none to the other.
    bench.decide(&first, Decision::Approve).await;
    bench.decide(&second, Decision::Approve).await;
    bench.finish().await;
    let runs = needy.runs();
    assert_eq!(runs, [&missing[..0], &missing[..1], &missing[..]]);
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: call_1=needy{}
    user: call_1 -> "made\n"
    "#);
}

#[tokio::test]
async fn what_a_person_has_written_is_what_is_offered_again() {
    let needy = Needy::new(&[Grant::Network]);
    let mut bench = needy.bench(ApprovalMode::Default, true);
    bench.submit("go").await;
    let question = bench.question().await;
    bench
        .decide(&question, Decision::Modify("make mine".into()))
        .await;
    let question = bench.question().await;
    bench.decide(&question, Decision::Approve).await;
    let again = bench.question().await;
    let Proposal::Exec { command, .. } = &again.proposal else {
        panic!("{:?}", again.proposal);
    };
    assert_eq!(command, "make mine");
    bench.decide(&again, Decision::Approve).await;
    bench.finish().await;
    assert_eq!(needy.runs(), [vec![], vec![Grant::Network]]);
}

#[tokio::test]
async fn a_no_leaves_the_model_with_what_happened() {
    let needy = Needy::new(&[Grant::Network]);
    let mut bench = needy.bench(ApprovalMode::Yolo, true);
    bench.submit("go").await;
    let question = bench.question().await;
    bench.decide(&question, Decision::Refuse).await;
    let (events, _) = bench.finish().await;
    assert_eq!(needy.runs().len(), 1);
    let last = events.iter().find_map(|event| match event {
        Event::ToolCallUpdate(view) if view.status.is_terminal() => Some(view.status),
        _ => None,
    });
    assert_eq!(last, Some(CallStatus::Success));
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: call_1=needy{}
    user: call_1 -> "failed\n[The user did not allow it to run again with that permission.]\n"
    "#);
}

#[tokio::test]
async fn cancelling_the_question_keeps_what_happened() {
    let needy = Needy::new(&[Grant::Network]);
    let mut bench = needy.bench(ApprovalMode::Yolo, true);
    bench.submit("go").await;
    bench.question().await;
    bench.commands.send(Command::Cancel).await.unwrap();
    bench.finish().await;
    let (_, _) = bench.ask("and?").await;
    let sent = bench.sent(1);
    assert!(sent.contains(r#"call_1 -> "failed\n["#), "{sent}");
}

#[tokio::test]
async fn a_permission_that_does_not_help_is_asked_for_once() {
    let needy = Needy::new(&[Grant::Network, Grant::Network, Grant::Network]);
    let mut bench = needy.bench(ApprovalMode::Yolo, true);
    bench.submit("go").await;
    let question = bench.question().await;
    bench.decide(&question, Decision::Approve).await;
    assert!(!is_asked(&mut bench).await);
    assert_eq!(needy.runs().len(), 2);
}

#[tokio::test]
async fn no_mode_answers_for_a_person() {
    let needy = Needy::new(&[Grant::Network]);
    let mut bench = needy.bench(ApprovalMode::Default, true);
    bench.submit("go").await;
    let first = bench.question().await;
    assert!(!first.always.is_empty());
    bench.decide(&first, Decision::Approve).await;
    let second = bench.question().await;
    let yolo = Command::Allow(ApprovalMode::Yolo);
    bench.commands.send(yolo).await.unwrap();
    bench.decide(&second, Decision::Refuse).await;
    bench.finish().await;
    assert_eq!(needy.runs().len(), 1);
}

#[tokio::test]
async fn where_nobody_is_asked_nothing_runs_again() {
    let needy = Needy::new(&[Grant::Network]);
    let mut bench = needy.bench(ApprovalMode::Yolo, false);
    bench.submit("go").await;
    assert!(!is_asked(&mut bench).await);
    assert_eq!(needy.runs().len(), 1);
    assert!(bench.sent(1).ends_with("call_1 -> \"failed\\n\"\n"));
}

#[tokio::test]
async fn what_reaches_far_is_called_dangerous() {
    for (command, need, dangerous) in [
        ("make it", write("/absent/out"), false),
        ("make it", Grant::Protected("/p/.git/hooks".into()), true),
        ("make it", write("/home/me/.npmrc"), true),
        // The project is in it.
        ("make it", write("/"), true),
        ("rm -rf ~", Grant::Network, true),
    ] {
        let mut needy = Needy::new(std::slice::from_ref(&need));
        needy.command = command.into();
        let mut bench = needy.bench(ApprovalMode::Yolo, true);
        bench.submit("go").await;
        let mut question = bench.question().await;
        if command != "make it" {
            assert_eq!(needy.runs().len(), 0);
            bench.decide(&question, Decision::Approve).await;
            question = bench.question().await;
            assert!(question.reasons[1].contains("it deletes"), "{question:?}");
        }
        assert_eq!(question.dangerous, dangerous, "{command} {need:?}");
        bench.decide(&question, Decision::Refuse).await;
        bench.finish().await;
    }
}

#[tokio::test]
async fn a_tool_that_breaks_when_it_is_offered_again_keeps_its_output() {
    let needy = Needy {
        breaks: true,
        ..Needy::new(&[Grant::Network])
    };
    let mut bench = needy.bench(ApprovalMode::Yolo, true);
    bench.submit("go").await;
    assert!(!is_asked(&mut bench).await);
    assert!(bench.sent(1).ends_with("call_1 -> \"failed\\n\"\n"));
}

#[tokio::test]
async fn nobody_is_asked_after_cancelling() {
    let needy = Needy {
        waits: true,
        ..Needy::new(&[Grant::Network])
    };
    let mut bench = needy.bench(ApprovalMode::Yolo, true);
    bench.submit("go").await;
    let runs = |event: &Event| match event {
        Event::ToolCallUpdate(view) => (view.status == CallStatus::Executing).then_some(()),
        _ => None,
    };
    bench.wait_for(runs).await;
    bench.commands.send(Command::Cancel).await.unwrap();
    assert!(!is_asked(&mut bench).await);
}
