//! Tools that are somebody else's programs, of which nothing is known but their names.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use pollux_testkit::{Project, ScriptedReply};
use pollux_tools::{BadArgs, Effects, Outcome, Output, Plan, RunContext, Tool};
use pollux_types::{ApprovalMode, Decision, Event, Mode, Proposal, Remember, ToolSpec};
use serde_json::{Map, Value, json};

use super::support::{Bench, Options};

#[derive(Clone)]
struct Foreign(ToolSpec);

impl Tool for Foreign {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn plan(&self, _args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        Ok(Box::new(self.clone()))
    }
}

impl Plan for Foreign {
    fn effects(&self) -> Effects {
        Effects {
            foreign: true,
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        "{\"key\": 1}".into()
    }

    fn run(self: Box<Self>, _context: RunContext) -> BoxFuture<'static, Outcome> {
        std::future::ready(Ok(Output::text("done elsewhere"))).boxed()
    }
}

fn bench(project: Project, names: &[&str], options: Options) -> Bench {
    let spec = |name: &&str| ToolSpec {
        name: (*name).into(),
        ..ToolSpec::default()
    };
    let calls = names
        .iter()
        .map(|name| ScriptedReply::call(*name, json!({})));
    let replies = calls.chain([ScriptedReply::say("ok")]).collect();
    let tools = names.iter().map(spec);
    let options = Options {
        tools: tools
            .map(|spec| Arc::new(Foreign(spec)) as Arc<dyn Tool>)
            .collect(),
        ..options
    };
    Bench::with(project, replies, options)
}

fn is_asked(event: &Event) -> Option<bool> {
    match event {
        Event::ApprovalNeeded(_) => Some(true),
        Event::PromptEnded(_) => Some(false),
        _ => None,
    }
}

#[tokio::test]
async fn always_is_about_this_tool_and_no_other() {
    let asking = || Options {
        approval: ApprovalMode::AutoEdit,
        asks: true,
        ..Options::default()
    };
    let names = ["mcp__a__b", "mcp__a__c"];
    let mut first = bench(Project::new(), &names, asking());
    first.submit("go").await;
    let question = first.question().await;
    assert_eq!(question.tool, "mcp__a__b");
    let summary = "{\"key\": 1}".to_owned();
    assert_eq!(question.proposal, Proposal::Other { summary });
    let always = Remember::Tool("mcp__a__b".into());
    assert_eq!(question.always, std::slice::from_ref(&always));
    first.decide(&question, Decision::Always(always)).await;
    let other = first.question().await;
    assert_eq!(other.tool, "mcp__a__c");
    first.decide(&other, Decision::Refuse).await;
    first.finish().await;
    assert!(
        first.sent(1).contains("done elsewhere"),
        "{}",
        first.sent(1)
    );
    let kept = first.project.pollux_home().join("kept.toml");
    let project = Project::new();
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    std::fs::copy(kept, project.pollux_home().join("kept.toml")).unwrap();
    let mut next = bench(project, &["mcp__a__b"], asking());
    next.submit("go").await;
    assert!(!next.wait_for(is_asked).await);
    assert!(next.sent(1).contains("done elsewhere"), "{}", next.sent(1));
}

#[tokio::test]
async fn only_yolo_lets_it_pass_unasked_and_not_while_planning() {
    for (mode, approval, passes) in [
        (Mode::Build, ApprovalMode::Default, false),
        (Mode::Build, ApprovalMode::AutoEdit, false),
        (Mode::Build, ApprovalMode::Yolo, true),
        (Mode::Plan, ApprovalMode::Yolo, false),
    ] {
        let options = Options {
            mode,
            approval,
            // Nor does a setting answer for a person while planning.
            auto_approve: mode == Mode::Plan,
            ..Options::default()
        };
        let mut bench = bench(Project::new(), &["mcp__a__b"], options);
        bench.ask("go").await;
        let ran = bench.sent(1).contains("done elsewhere");
        assert_eq!(ran, passes, "{mode:?} {approval:?}: {}", bench.sent(1));
    }
}
