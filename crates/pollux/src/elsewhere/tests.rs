//! Leaving for models that are set up, and for sessions on disk.

use std::borrow::Cow;

use pollux_agent::Elsewhere as _;
use pollux_store::{Entry, ProviderSettings};
use pollux_testkit::Project;
use pollux_types::Part;

use super::*;

/// A session with the offline model, in a project where two others are set up.
fn elsewhere(project: &Project) -> Elsewhere {
    let lab = ProviderSettings {
        kind: "openai".into(),
        base_url: Some("http://127.0.0.1:1/v1".into()),
        context_window: Some(4096),
        ..ProviderSettings::default()
    };
    Elsewhere {
        environment: Environment::with(&[("ANTHROPIC_API_KEY", "k")]),
        settings: Settings {
            providers: [("lab".to_owned(), lab)].into(),
            ..Settings::default()
        },
        home: Home::new(project.pollux_home()),
        cwd: project.path().to_owned(),
        workspace: Arc::new(Workspace::new(project.path(), &[]).unwrap()),
        tools: Registry::new(vec![]),
        tool_calls: None,
        told: Current::default(),
        who: Current::new(Answering {
            provider: "offline".into(),
            model: "offline".into(),
            base_url: None,
            found: false,
        }),
        open: SessionId::new("first"),
    }
}

fn say(record: &mut Record, text: &str) {
    let message = Message::user(vec![Part::text(text)]);
    let entry = Entry::Message {
        at: Timestamp::UNIX_EPOCH,
        message: Cow::Owned(message),
    };
    record.log.append(&[entry]).unwrap();
}

#[tokio::test]
async fn a_model_comes_with_its_room_and_what_it_is_told() {
    let project = Project::new();
    let mut elsewhere = elsewhere(&project);
    // Nobody is asked whether it is there.
    let wanted = Wanted::instead(&elsewhere.who.get(), "claude-x", &elsewhere.settings, None);
    let located = elsewhere.locate(wanted).ok().unwrap();
    let big = elsewhere.choose(located).await.ok().unwrap();
    assert_eq!(big.window, Some(200_000));
    let small = elsewhere.model("lab/small-3b").await.ok().unwrap();
    assert_eq!(small.window, Some(4096));
    assert_eq!(small.base_url.as_deref(), Some("http://127.0.0.1:1/v1"));
    assert!(small.instructions.system.len() < big.instructions.system.len());
    elsewhere.settings.context.token_limit = Some(1000);
    let other = elsewhere.model("other").await.ok().unwrap();
    assert_eq!(other.window, Some(1000));
    assert_eq!(other.model.info().provider, "lab");
    let why = elsewhere.model("gemini/x").await.err().unwrap();
    insta::assert_snapshot!(why, @"no API key for the provider `gemini`; set GEMINI_API_KEY or GOOGLE_API_KEY; or try `--provider offline`");
    // Nothing has changed.
    assert_eq!(elsewhere.who.get().model, "other");
}

#[tokio::test]
async fn a_session_goes_on_with_the_model_it_was_talking_to() {
    let project = Project::new();
    let mut elsewhere = elsewhere(&project);
    elsewhere.model("lab/small").await.ok().unwrap();
    let mut first = elsewhere.begin();
    say(&mut first, "hello");
    let id = first.session.to_string();
    let why = elsewhere.resume(&id).await.err().unwrap();
    assert!(why.ends_with("` is this one"), "{why}");
    drop(first);
    elsewhere.model("offline").await.ok().unwrap();
    let second = elsewhere.begin();
    assert_ne!(second.session.as_str(), id);
    let Resumed {
        answerer, record, ..
    } = elsewhere.resume("latest").await.ok().unwrap();
    assert_eq!(answerer.model.info().model, "small");
    assert_eq!(record.session.as_str(), id);
    assert_eq!(record.history.len(), 1);
    assert_eq!(elsewhere.who.get().provider, "lab");
    let why = elsewhere.resume("7").await.err().unwrap();
    insta::assert_snapshot!(why, @"no session `7`; `pollux sessions list` shows what there is");
}
