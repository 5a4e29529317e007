//! Sessions on a real file system, whole and damaged.

use std::borrow::Cow;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use jiff::Timestamp;
use pollux_types::{CallId, CallStatus, CallView, Message, Part, SessionId, Todo, TodoStatus};

use super::entry::{Answering, Entry, Header};
use super::list::{FindError, find, list, session_name};
use super::log::{LogError, SessionLog};
use super::replay::replay;
use crate::Home;

fn header(id: &str) -> Header {
    Header {
        version: Header::VERSION,
        id: SessionId::new(id),
        at: Timestamp::UNIX_EPOCH,
        cwd: "/project".into(),
        answering: Answering {
            provider: "offline".into(),
            model: "offline".into(),
            base_url: None,
            found: false,
        },
    }
}

fn said(text: &str) -> Entry<'static> {
    let message = Cow::Owned(Message::user(vec![Part::text(text)]));
    Entry::Message {
        at: Timestamp::UNIX_EPOCH,
        message,
    }
}

fn recorded(home: &Home, id: &str, texts: &[&str]) -> SessionLog {
    let mut log = SessionLog::create(home, Path::new("/project"), header(id));
    for text in texts {
        log.append(&[said(text)]).unwrap();
    }
    log
}

fn texts(path: &Path) -> Vec<String> {
    replay(path)
        .unwrap()
        .messages
        .iter()
        .map(Message::text)
        .collect()
}

fn home() -> (tempfile::TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().join("home"));
    (dir, home)
}

#[test]
fn the_format_is_fixed() {
    let (_dir, home) = home();
    let mut log = recorded(&home, "id-1", &["hello"]);
    let answering = Answering {
        base_url: Some("http://lab:1".into()),
        found: true,
        ..header("id-1").answering
    };
    let at = Timestamp::UNIX_EPOCH;
    let name = "the parser".into();
    log.append(&[Entry::Model { at, answering }, Entry::Name { at, name }])
        .unwrap();
    let call = CallView {
        id: CallId::new("c1"),
        name: "write_todos".into(),
        summary: "0 of 1 done".into(),
        status: CallStatus::Success,
        live: None,
        output: None,
        error: None,
        changes: vec![],
        todos: Some(vec![Todo {
            description: "look".into(),
            status: TodoStatus::InProgress,
        }]),
    };
    let calls = vec![call.clone()];
    log.append(&[Entry::Calls { at, calls }]).unwrap();
    assert_eq!(replay(log.path()).unwrap().calls, [call]);
    insta::assert_snapshot!(std::fs::read_to_string(log.path()).unwrap(), @r#"
    {"type":"session","version":1,"id":"id-1","at":"1970-01-01T00:00:00Z","cwd":"/project","provider":"offline","model":"offline"}
    {"type":"message","at":"1970-01-01T00:00:00Z","role":"user","parts":[{"text":"hello"}]}
    {"type":"model","at":"1970-01-01T00:00:00Z","provider":"offline","model":"offline","base_url":"http://lab:1","found":true}
    {"type":"name","at":"1970-01-01T00:00:00Z","name":"the parser"}
    {"type":"calls","at":"1970-01-01T00:00:00Z","calls":[{"id":"c1","name":"write_todos","summary":"0 of 1 done","status":"success","todos":[{"description":"look","status":"in_progress"}]}]}
    "#);
}

#[test]
fn nothing_said_leaves_nothing_behind() {
    let (dir, home) = home();
    let log = SessionLog::create(&home, Path::new("/project"), header("id-1"));
    assert!(!log.path().exists());
    drop(log);
    assert!(!dir.path().join("home").exists());
}

#[test]
fn only_the_user_may_read_it() {
    let (_dir, home) = home();
    let log = recorded(&home, "id-1", &["secret"]);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(log.path()), 0o600);
    assert_eq!(mode(log.path().parent().unwrap()), 0o700);
}

#[test]
fn a_session_goes_on_after_half_a_line() {
    let (_dir, home) = home();
    let path = recorded(&home, "id-1", &["a", "b"]).path().to_owned();
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    let mut log = SessionLog::open(&path).unwrap();
    log.append(&[said("c")]).unwrap();
    let read = replay(&path).unwrap();
    assert_eq!(texts(&path), ["a", "c"]);
    assert_eq!(read.damage.len(), 1);
    assert_eq!(read.damage[0].line, 3);
}

#[test]
fn a_session_is_open_once() {
    let (_dir, home) = home();
    let log = recorded(&home, "id-1", &["a"]);
    assert!(matches!(
        SessionLog::open(log.path()),
        Err(LogError::Busy { .. })
    ));
    let path = log.path().to_owned();
    drop(log);
    SessionLog::open(&path).unwrap();
}

#[test]
fn entries_of_later_versions_are_passed_over() {
    let (_dir, home) = home();
    let path = recorded(&home, "id-1", &["a"]).path().to_owned();
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str("{\"type\":\"from_the_future\",\"x\":1}\n");
    std::fs::write(&path, text).unwrap();
    assert_eq!(texts(&path), ["a"]);
    assert!(replay(&path).unwrap().damage.is_empty());
}

#[test]
fn another_model_takes_over_and_signatures_are_dropped() {
    let (_dir, home) = home();
    let thought = Message::model(vec![Part::Thought {
        text: "t".into(),
        signature: Some("s".into()),
    }]);
    let at = Timestamp::UNIX_EPOCH;
    let answering = |provider: &str, model: &str| Entry::Model {
        at,
        answering: Answering {
            provider: provider.into(),
            model: model.into(),
            ..header("id-1").answering
        },
    };
    let signed = Entry::Message {
        at,
        message: Cow::Owned(thought.clone()),
    };
    let mut log = recorded(&home, "id-1", &["a"]);
    let project = Path::new("/project");
    let found = || find(&home, project, "latest").unwrap().header.answering;
    log.append(&[signed]).unwrap();
    log.append(&[answering("offline", "larger")]).unwrap();
    assert_eq!(found().model, "larger");
    assert_eq!(replay(log.path()).unwrap().messages[1], thought);
    log.append(&[answering("other", "m")]).unwrap();
    assert_eq!(found().provider, "other");
    let replay = replay(log.path()).unwrap();
    assert_ne!(replay.messages[1], thought);
    assert_eq!(replay.header.unwrap().answering, found());
}

#[test]
fn a_full_disk_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("full.jsonl");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let mut log = SessionLog::open(&path).unwrap();
    let error = log.append(&[said("a")]).unwrap_err().to_string();
    assert!(error.contains("No space left on device"), "{error}");
}

#[test]
fn what_is_synced_is_known() {
    let (_dir, home) = home();
    let mut log = SessionLog::create(&home, Path::new("/project"), header("id-1"));
    assert!(log.unsynced().is_none());
    log.append(&[said("a")]).unwrap();
    // Asking is not doing.
    drop(log.unsynced().unwrap());
    let sync = log.unsynced().unwrap();
    log.append(&[said("b")]).unwrap();
    sync.wait().unwrap();
    log.unsynced()
        .expect("the second entry came later")
        .wait()
        .unwrap();
    assert!(log.unsynced().is_none());
}

#[test]
fn a_damaged_first_line_does_not_hide_a_session() {
    let (_dir, home) = home();
    let path = recorded(&home, "id-1", &["a title"]).path().to_owned();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[3] = 0xff;
    std::fs::write(&path, bytes).unwrap();
    // Things that other programs leave about.
    let sessions = path.parent().unwrap().parent().unwrap();
    std::fs::write(sessions.join(".DS_Store"), "").unwrap();
    let found = find(&home, Path::new("/elsewhere"), "id-1").unwrap();
    assert_eq!(
        (found.header.id.as_str(), found.title.as_str()),
        ("id-1", "a title")
    );
}

#[test]
fn sessions_are_found_by_place_number_and_id() {
    let (_dir, home) = home();
    let project = Path::new("/project");
    assert!(
        find(&home, project, "latest")
            .unwrap_err()
            .to_string()
            .contains("no session")
    );
    for (id, age) in [("aaaa-1", 30), ("aaaa-2", 20), ("bbbb-1", 10)] {
        let log = recorded(&home, id, &[&format!("title of {id}\nmore")]);
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
        std::fs::File::open(log.path())
            .unwrap()
            .set_modified(time)
            .unwrap();
    }
    let id = |wanted: &str| find(&home, project, wanted).map(|found| found.header.id.to_string());
    assert_eq!(id("latest").unwrap(), "bbbb-1");
    assert_eq!(id("3").unwrap(), "aaaa-1");
    assert_eq!(id("bbbb").unwrap(), "bbbb-1");
    assert_eq!(
        id("aaaa").unwrap_err().to_string(),
        "`aaaa` fits 2 sessions; give more of the id"
    );
    assert!(id("4").is_err());
    assert!(id("cccc").is_err());
    assert_eq!(list(&home, project).unwrap()[0].title, "title of bbbb-1");
    assert_eq!(
        find(&home, Path::new("/elsewhere"), "bbbb")
            .unwrap()
            .header
            .id
            .as_str(),
        "bbbb-1"
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Whatever a crash leaves of the file, all whole lines are read and nothing else.
    #[test]
    fn any_prefix_replays(cut in 0usize..400) {
        let (_dir, home) = home();
        let path = recorded(&home, "id-1", &["é", "two", "three"]).path().to_owned();
        let whole = std::fs::read(&path).unwrap();
        let cut = cut.min(whole.len());
        std::fs::write(&path, &whole[..cut]).unwrap();
        let lines = whole[..cut].split_inclusive(|byte| *byte == b'\n');
        // A last line without its newline may still be whole.
        let whole_lines = lines.filter(|line| line.ends_with(b"\n")).count();
        let read = texts(&path).len();
        assert!(read == whole_lines.saturating_sub(1) || read == whole_lines, "{read} of {whole_lines}");
    }
}

#[test]
fn a_session_is_found_by_its_newest_name() {
    let (_dir, home) = home();
    let dir = Path::new("/project");
    let mut log = recorded(&home, "id-1", &["hello"]);
    recorded(&home, "id-2", &["other"]);
    let named = |name: &str| Entry::Name {
        at: Timestamp::UNIX_EPOCH,
        name: name.to_owned().into(),
    };
    log.append(&[named("old"), said("more"), named("ab c")])
        .unwrap();
    assert_eq!(find(&home, dir, "ab c").unwrap().header.id.as_str(), "id-1");
    let error = find(&home, dir, "old").unwrap_err();
    assert!(matches!(error, FindError::NotFound { .. }), "{error}");
    let listed = list(&home, dir).unwrap();
    let called: Vec<_> = listed
        .iter()
        .filter_map(|found| found.name.as_deref())
        .collect();
    assert_eq!(called, ["ab c"]);
    assert_eq!(texts(log.path()), ["hello", "more"]);
}

#[test]
fn names_mean_nothing_else() {
    assert_eq!(session_name(" the parser "), Ok("the parser"));
    let long = "x".repeat(61);
    for bad in ["", " ", "latest", "12", "a\nb", &long] {
        assert!(session_name(bad).is_err(), "{bad}");
    }
}
