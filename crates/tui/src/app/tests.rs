//! Tests that feed a REPL and look at what it shows and does.

mod commands;
mod dialogs;
mod plain;
mod writing;

use pollux_edit::Keymap;
use pollux_types::event::{Failure, FailureKind};
use pollux_types::{
    Again, ApprovalRequest, CallId, CallStatus, CallView, Decision, FileChange, FunctionCall, Part,
    PromptId, Proposal, Question, QuestionOption, Remember, Told,
};

use super::*;
use crate::complete::Place;
use crate::completer::Sources;
use crate::screen::Rewrap;

/// A REPL of 60 columns, and what it has shown.
struct Repl {
    app: App,
    settled: Vec<String>,
    effects: Vec<Effect>,
    start: Instant,
}

impl Repl {
    fn new() -> Self {
        Self::with_keys(Keymap::default())
    }

    fn with_keys(keymap: Keymap) -> Self {
        let status = Status {
            cwd: "/home/app".to_owned(),
            model: "m1".to_owned(),
            ..Status::default()
        };
        let looks = Looks {
            color: true,
            links: false,
            rewrap: Rewrap::Yes,
            synchronized: true,
        };
        let start = Start {
            status,
            composer: Composer::new(keymap, sources()),
        };
        let size = Size {
            width: 60,
            height: 20,
        };
        Self {
            app: App::new(start, looks, size),
            settled: Vec::new(),
            effects: Vec::new(),
            start: Instant::now(),
        }
    }

    fn feed(&mut self, input: Input) -> &mut Self {
        let effects = self.app.update(input, self.start);
        self.effects.extend(effects);
        self
    }

    /// Words are typed, and names of keys in angle brackets pressed.
    fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let name = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let (key, after) = match name {
                Some((name, after)) => (name.parse().unwrap(), after),
                None => (c.to_string().parse().unwrap(), &rest[c.len_utf8()..]),
            };
            rest = after;
            self.feed(Input::Typed(Typed::Key(key)));
        }
        self
    }

    fn hear(&mut self, events: impl IntoIterator<Item = Event>) -> &mut Self {
        for event in events {
            self.feed(Input::Agent(event));
        }
        self
    }

    /// Time passes, with a picture at its beginning and at its end.
    fn pass(&mut self, millis: u64) -> &mut Self {
        self.shown();
        self.start += std::time::Duration::from_millis(millis);
        self.shown();
        self
    }

    fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Everything that was settled, a line, and what is live.
    fn shown(&mut self) -> String {
        let view = self.app.view(self.start);
        self.settled.extend(view.settled.iter().map(Line::text));
        let live = view.live.iter().map(Line::text);
        let lines = self.settled.iter().cloned();
        let rule = std::iter::once("----".to_owned());
        let lines: Vec<String> = lines.chain(rule).chain(live).collect();
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        lines.join("\n")
    }
}

fn sources() -> Sources {
    Sources {
        place: Place {
            root: "/nowhere".into(),
            home: None,
        },
        walk: |root| ignore::WalkBuilder::new(root),
        path: None,
        more: std::sync::Arc::default(),
        resources: false,
    }
}

fn started() -> Event {
    Event::PromptStarted {
        prompt_id: PromptId::of(&pollux_types::SessionId::new("s"), 1),
    }
}

fn content(text: &str) -> Event {
    Event::Content {
        text: text.to_owned(),
    }
}

fn called(id: &str, name: &str) -> Event {
    Event::ToolCallRequest(FunctionCall {
        id: CallId::new(id),
        name: name.to_owned(),
        args: [].into_iter().collect(),
        signature: None,
    })
}

fn submit(text: &str) -> Effect {
    Effect::Send(Command::Submit(vec![Part::text(text)]))
}

#[test]
fn a_message_is_sent_and_its_answer_shown() {
    let mut repl = Repl::new();
    repl.keys("hello");
    insta::assert_snapshot!(repl.shown(), @"
    ----
    context: 0 tokens · model: m1
    [build] /home/app> hello
    ");
    repl.keys("<enter>");
    assert_eq!(repl.effects(), [submit("hello")]);
    repl.hear([started(), content("Hi **there**, "), content("you")]);
    insta::assert_snapshot!(repl.shown(), @"

    context: 0 tokens · model: m1
    [build] /home/app> hello

    [ANSWER]
    ----
    Hi there, you
    ⠋ working · 0 s · esc to cancel
    context: 0 tokens · model: m1
    [build] /home/app>
    ");
    let context = Event::Context {
        tokens: 42,
        limit: None,
        before: pollux_types::Before::default(),
    };
    repl.hear([context, Event::PromptEnded(PromptEnd::Completed)]);
    assert_eq!(repl.effects(), [Effect::Notify("pollux is done")]);
    insta::assert_snapshot!(repl.shown(), @"

    context: 0 tokens · model: m1
    [build] /home/app> hello

    [ANSWER]
    Hi there, you

    ----
    context: 42 tokens · model: m1
    [build] /home/app>
    ");
}

#[test]
fn what_is_typed_while_busy_waits_and_can_be_taken_back() {
    let mut repl = Repl::new();
    repl.hear([started()]).keys("one<enter>two<enter>");
    assert_eq!(repl.effects(), []);
    repl.keys("<up>");
    assert_eq!(repl.app.composer.expanded(), "two");
    repl.keys("!<enter>");
    repl.hear([Event::PromptEnded(PromptEnd::Completed)]);
    assert_eq!(repl.effects(), [submit("one")]);
    repl.hear([started(), Event::PromptEnded(PromptEnd::Completed)]);
    assert_eq!(repl.effects(), [submit("two!")]);
}

#[test]
fn a_new_session_waits_for_the_messages_before_it() {
    let ended = || Event::PromptEnded(PromptEnd::Completed);
    let new = || Effect::Send(Command::NewSession);
    let mut repl = Repl::new();
    repl.hear([started()])
        .keys("old<enter>/new<enter>/clear<enter>/vim<enter>fresh<enter>");
    assert_eq!(repl.effects(), [], "`/vim` has nothing to do with messages");
    assert!(
        repl.shown()
            .contains("  old\n  /new\n  /clear\n  ... 1 more")
    );
    repl.hear([ended()]);
    assert_eq!(repl.effects(), [submit("old")]);
    repl.hear([started(), ended()]);
    assert_eq!(
        repl.effects(),
        [new(), new(), Effect::ClearScreen, submit("fresh")]
    );
    // With no message before it, there is still what is being answered.
    repl.hear([started()]).keys("/new<enter>/resume<enter>");
    let sessions = Effect::Inquire(Inquiry::Sessions);
    assert_eq!(repl.effects(), [sessions], "a list changes nothing");
    assert!(repl.shown().contains("queued (up to edit):\n  /new\n"));
    repl.hear([ended()]);
    let done = Effect::Notify("pollux is done");
    assert_eq!(repl.effects(), [new(), done]);
}

#[test]
fn escape_gives_messages_back_and_obeys_commands() {
    let mut repl = Repl::new();
    repl.hear([started()])
        .keys("old<enter>/new<enter>fresh<enter><esc>");
    repl.hear([Event::PromptEnded(PromptEnd::UserCancelled)]);
    let effects = [Command::Cancel, Command::NewSession].map(Effect::Send);
    assert_eq!(repl.effects(), effects);
    assert_eq!(repl.app.composer.expanded(), "old\n\nfresh");
}

#[test]
fn a_message_that_is_not_taken_up_goes_back() {
    let mut repl = Repl::new();
    repl.keys("see @gone<enter>then<enter>").effects();
    let failure = Failure {
        kind: FailureKind::Input,
        message: "`gone` does not exist".into(),
        hint: None,
    };
    repl.hear([Event::PromptEnded(PromptEnd::Error(failure))]);
    assert_eq!(repl.effects(), []);
    assert_eq!(repl.app.composer.expanded(), "see @gone\n\nthen");
}

#[test]
fn escape_stops_everything_and_loses_nothing() {
    let mut repl = Repl::new();
    repl.hear([started(), content("Half a")])
        .keys("later<enter>draft<esc>");
    assert_eq!(repl.effects(), [Effect::Send(Command::Cancel)]);
    assert!(repl.shown().contains("stopping"));
    repl.hear([Event::PromptEnded(PromptEnd::UserCancelled)]);
    assert_eq!(repl.effects(), []);
    insta::assert_snapshot!(repl.shown(), @"

    [ANSWER]
    Half a

    Cancelled by ESC
    Stopped model stream and tool execution; todo state remains
    unchanged unless a tool had already completed.

    ----
    context: 0 tokens · model: m1
    [build] /home/app> later

    draft
    ");
    repl.keys("<esc>");
    assert_eq!(repl.app.composer.expanded(), "");
    assert_eq!(repl.effects(), []);
}

#[test]
fn escape_holds_what_waits_even_if_it_comes_too_late() {
    let mut repl = Repl::new();
    repl.hear([started()]).keys("later<enter><esc>");
    repl.hear([Event::PromptEnded(PromptEnd::Completed)]);
    assert_eq!(repl.effects(), [Effect::Send(Command::Cancel)]);
    assert_eq!(repl.app.composer.expanded(), "later");
}

#[test]
fn what_waits_is_still_there_to_copy_when_the_user_leaves() {
    let mut repl = Repl::new();
    repl.hear([started(), content("Half")])
        .keys("one<enter>two<enter>");
    repl.app.break_off();
    let shown = repl.shown();
    assert!(
        shown.contains("Half\nnote: not sent: one\nnote: not sent: two\nthe session is kept"),
        "{shown}"
    );
}

fn request() -> ApprovalRequest {
    ApprovalRequest {
        call: CallId::new("1"),
        tool: "run_shell_command".into(),
        proposal: Proposal::Exec {
            command: "make".into(),
            dir: ".".into(),
            parts: vec![],
        },
        reasons: vec!["runs a build".into()],
        dangerous: false,
        always: vec![Remember::Command("make".into())],
        once: None,
        printed: String::new(),
        fingerprint: "f".into(),
    }
}

#[test]
fn nothing_from_outside_acts_on_the_terminal() {
    const HOSTILE: &str = "a\tb\nc\x1b[2J\r\u{202e}d";
    let mut repl = Repl::new();
    repl.app.status.cwd = format!("/{HOSTILE}");
    let call = |id: &str, status| CallView {
        id: CallId::new(id),
        name: HOSTILE.into(),
        summary: HOSTILE.into(),
        status,
        live: Some(HOSTILE.into()),
        output: Some(HOSTILE.into()),
        error: None,
        changes: vec![],
        todos: None,
    };
    let asks = ApprovalRequest {
        tool: HOSTILE.into(),
        reasons: vec![HOSTILE.into()],
        always: vec![
            Remember::Prefix(vec![HOSTILE.into()]),
            Remember::Edits(HOSTILE.into()),
        ],
        ..request()
    };
    let thought = Event::Thought {
        subject: HOSTILE.into(),
        description: HOSTILE.into(),
    };
    let changed = Event::ModelChanged {
        provider: HOSTILE.into(),
        model: HOSTILE.into(),
        reason: HOSTILE.into(),
    };
    repl.keys("a<tab>b<enter><ctrl+r>a");
    for event in [
        started(),
        thought,
        changed,
        content(HOSTILE),
        content("\n\n| a\tb | c |\n|---|---|\n| `d\te` | f |\n\n"),
        Event::ToolCallUpdate(call("1", CallStatus::Executing)),
        Event::ToolCallUpdate(call("1", CallStatus::Success)),
        Event::ApprovalNeeded(asks),
    ] {
        repl.hear([event]);
        let view = repl.app.view(repl.start);
        for line in view.settled.iter().chain(&view.live) {
            let text = line.text();
            assert!(!text.contains(char::is_control), "{text:?}");
            assert!(!text.contains('\u{202e}'), "{text:?}");
        }
    }
}

#[test]
fn the_program_is_asked_once_for_each_line_what_can_be_chosen() {
    let mut repl = Repl::new();
    let sessions = || Effect::Choose(Choices::Sessions);
    let told = || {
        let choice = |word: &str| Choice {
            word: word.into(),
            description: String::new(),
        };
        Input::Choices {
            of: Choices::Sessions,
            choices: vec![choice("latest"), choice("1")],
            looking: false,
        }
    };
    repl.keys("/resume ");
    assert_eq!(repl.effects(), [sessions()]);
    repl.feed(told()).keys("lat");
    assert_eq!(repl.effects(), []);
    assert!(repl.shown().ends_with("\n> latest"), "{}", repl.shown());
    repl.keys("<enter>/resume ");
    let resume = Effect::Send(Command::Resume("lat".into()));
    assert_eq!(repl.effects(), [resume, sessions()]);
}

#[test]
fn tab_switches_between_building_and_planning_only_when_nothing_is_typed() {
    let mut repl = Repl::new();
    repl.keys("<tab>");
    let switched = |mode| Effect::Send(Command::Mode(mode));
    assert_eq!(repl.effects(), [switched(Mode::Plan)]);
    assert!(repl.shown().ends_with("[plan] /home/app>"));
    // Whoever presses it twice is back, however late the agent says so.
    repl.keys("<tab><tab>");
    assert_eq!(
        repl.effects(),
        [switched(Mode::Build), switched(Mode::Plan)]
    );
    repl.hear([Event::ModeChanged { mode: Mode::Plan }]);
    assert!(repl.shown().ends_with("[plan] /home/app>"));
    repl.keys("x<tab>");
    assert_eq!(repl.effects(), []);
}

#[test]
fn commands_never_reach_the_model() {
    let mut repl = Repl::new();
    repl.keys("/hlep<enter>/mode plan<enter>/vim<enter>/vim<enter>/quit<enter>");
    let effects = [Effect::Send(Command::Mode(Mode::Plan)), Effect::Quit];
    assert_eq!(repl.effects(), effects);
    assert!(
        repl.shown()
            .contains("error: Unknown command: /hlep. Did you mean /help?")
    );
    repl.keys("/usr/bin/x is broken<enter>");
    assert_eq!(repl.effects(), [submit("/usr/bin/x is broken")]);
}

#[test]
fn a_search_without_a_match_sends_nothing() {
    let mut repl = Repl::new();
    repl.keys("/vim<enter>/vim<enter>draft<ctrl+r>");
    assert!(
        repl.shown()
            .ends_with("> draft\nsearch:  -> type what it has")
    );
    repl.keys("<enter>zzz<enter>");
    assert_eq!(repl.effects(), []);
    assert!(repl.shown().ends_with("> draft\nsearch: zzz -> no match"));
    // It goes on being searched, and what was written is there afterwards.
    repl.keys("<backspace><backspace><backspace>vim");
    assert!(repl.shown().ends_with("search: vim -> /vim"));
    repl.keys("<esc>");
    assert!(repl.shown().ends_with("> draft"));
    repl.keys("<ctrl+r>zzz<ctrl+g><enter>");
    assert_eq!(repl.effects(), [submit("draft")]);
}

#[test]
fn vim_keys_are_offered_first() {
    let mut repl = Repl::new();
    repl.keys("/vim<enter>one two<esc>0dwx");
    assert_eq!(repl.app.composer.expanded(), "wo");
    assert!(repl.shown().ends_with("[build] /home/app> wo\nNORMAL"));
    repl.keys("<esc>");
    assert_eq!(repl.app.composer.expanded(), "");
}

#[test]
fn a_command_of_the_persons_own_goes_by_itself() {
    let mut repl = Repl::new();
    repl.keys("! ls -l<enter>");
    let command = Command::Run {
        command: "ls -l".into(),
        raw: "! ls -l".into(),
    };
    assert_eq!(repl.effects(), [Effect::Send(command)]);
}

#[test]
fn failures_say_what_to_do() {
    let mut repl = Repl::new();
    let failure = Failure {
        kind: FailureKind::Auth,
        message: "the key is\nrefused".into(),
        hint: Some("set a key".into()),
    };
    repl.hear([
        started(),
        content("Half"),
        Event::PromptEnded(PromptEnd::Error(failure)),
    ]);
    insta::assert_snapshot!(repl.shown(), @"

    [ANSWER]
    Half
    note: the answer above is incomplete
    error: the key is
      refused
    hint: set a key

    ----
    context: 0 tokens · model: m1
    [build] /home/app>
    ");
}

#[test]
fn a_session_that_goes_on_looks_as_it_did() {
    let call = CallView {
        id: CallId::new("1"),
        name: "write_todos".into(),
        summary: "0 of 1 done".into(),
        status: CallStatus::Success,
        live: None,
        output: None,
        error: None,
        changes: vec![],
        todos: Some(vec![Todo {
            description: "look".into(),
            status: TodoStatus::Pending,
        }]),
    };
    let lived = [
        called("1", "write_todos"),
        Event::ToolCallUpdate(call),
        content("**Good**."),
    ];
    let mut told = vec![Told::Prompt("first\nwords\x1b".into())];
    told.extend(lived.clone().map(Told::from));
    told.push(Told::Prompt("second".into()));
    let changed = Event::SessionChanged {
        session: pollux_types::SessionId::new("s"),
        provider: "p".into(),
        model: "m2".into(),
        again: Again { left_out: 7, told },
        todos: vec![],
    };
    let mut repl = Repl::new();
    insta::assert_snapshot!(repl.hear([changed]).shown(), @r"
    note: 7 earlier messages are not shown again

    > first
    > words\e

    [tool] write_todos 0 of 1 done
      pending      look

    [ANSWER]
    Good.

    > second

    ----
    context: 0 tokens · model: m2
    [build] /home/app>
    ");
    let mut before = Repl::new();
    before.hear([started()]).hear(lived);
    before
        .hear([Event::PromptEnded(PromptEnd::Completed)])
        .shown();
    let (before, again) = (before.settled.join("\n"), repl.settled.join("\n"));
    assert!(again.contains(&before), "{before}\n----\n{again}");
}
