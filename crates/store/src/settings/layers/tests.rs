//! What is read, and what is said of that which cannot be.

use super::super::Transport;
use super::super::project::Wishes;
use super::*;

/// The settings, and what is said about them with the file called `F`.
fn loaded(source: &str, pairs: &[&str]) -> (Settings, String) {
    let (settings, problems) = load_both(source, pairs);
    let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
    (settings, said.join("\n"))
}

fn load_both(source: &str, pairs: &[&str]) -> (Settings, Vec<Problem>) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    if !source.is_empty() {
        std::fs::write(&file, source).unwrap();
    }
    let pairs: Vec<String> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
    let (settings, mut problems) = load(&file, None, &pairs);
    for problem in &mut problems {
        problem.place = problem.place.replace(&file.display().to_string(), "F");
    }
    (settings, problems)
}

#[test]
fn a_file_is_read_and_pairs_win() {
    let source = "model = 'a'\n[retry]\nmax_attempts = 2\n[providers.lab]\nkind = 'openai'\n";
    let pairs = [
        "retry.max_attempts=1",
        "provider=lab",
        "shell.command_timeout_ms=5",
    ];
    let (settings, said) = loaded(source, &pairs);
    assert_eq!(said, "");
    assert_eq!(settings.model.as_deref(), Some("a"));
    assert_eq!(settings.provider.as_deref(), Some("lab"));
    assert_eq!(settings.retry.max_attempts, Some(1));
    assert_eq!(settings.shell.command_timeout_ms, Some(5));
    assert_eq!(settings.providers["lab"].kind, "openai");
}

#[test]
fn no_file_means_no_settings() {
    assert_eq!(loaded("", &[]), (Settings::default(), String::new()));
}

#[test]
fn a_bad_setting_costs_only_its_section() {
    let source = "model = 'a'\n\n[retry]\nmax_attempts = 'many'\n\n[agnet]\nmax_turns = 3\n";
    let (settings, said) = loaded(source, &[]);
    assert_eq!(settings.model.as_deref(), Some("a"));
    assert_eq!(settings.retry.max_attempts, None);
    insta::assert_snapshot!(said, @"
    F:6: unknown setting `agnet`; did you mean `agent`?
    F:4: `retry.max_attempts`: expected a number
    ");
}

#[test]
fn what_is_expected_is_said_in_words_that_people_know() {
    let source = "\
provder = 'lab'

[modles]
fallback = []

[models]
fallback = 'x'

[retry]
max_attempts = 0
idle_timeout_secs = -1
max_atempts = 3
zzz = 1

[agent]
prompt = 'short'

[text_calls]
preserve_context = 'no'

[providers]
a = { kind = 'openai', context_window = 0, bse_url = 'x' }
b = { base_url = 1 }
c.base_url = 'x'

[providers.d]
kind = 'openai'
api_key = 'sk-secret'
api_key_env = 'sk-secret'
headers = { X = 1 }
body = 3
";
    let (settings, said) = loaded(source, &["think=1"]);
    assert!(settings.providers.is_empty());
    assert!(!said.contains("secret"), "{said}");
    insta::assert_snapshot!(said, @r#"
    F:3: unknown setting `modles`; did you mean `models`?
    F:1: unknown setting `provder`; did you mean `provider`?
    F:22: unknown setting `providers.a.bse_url`; did you mean `base_url`?
    F:22: `providers.a.context_window`: expected 1 or more; leave it out for the usual number
    F:23: `providers.b.base_url`: expected a text in quotes
    F:24: `providers.c`: `kind` is missing
    F:28: `providers.d.api_key`: a key has no place in a file: put it into a variable, and name that with `api_key_env`
    F:29: `providers.d.api_key_env`: that is no name of a variable; put the key into one, such as LAB_KEY, and its name here
    F:31: `providers.d.body`: expected a table, such as { name = "value" }
    F:30: `providers.d.headers`: expected a text in quotes
    F:7: `models.fallback`: expected a list of texts
    F:11: `retry.idle_timeout_secs`: expected a number from 0 up
    F:12: unknown setting `retry.max_atempts`; did you mean `max_attempts`?
    F:10: `retry.max_attempts`: expected 1 or more; leave it out for the usual number
    F:13: unknown setting `retry.zzz`; there are: max_attempts, idle_timeout_secs
    F:16: `agent.prompt`: expected one of auto, full, lean
    F:19: `text_calls.preserve_context`: expected true or false
    --config think: `think`: expected a section
    "#);
}

#[test]
fn a_bad_provider_costs_only_itself() {
    let source = "[providers.good]\nkind = 'openai'\n[providers.bad]\nkind = 'openai'\nurl = 1\n";
    let (settings, problems) = load_both(source, &["providers.bad.base_url=x"]);
    assert_eq!(settings.providers.keys().collect::<Vec<_>>(), ["good"]);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].provider.as_deref(), Some("bad"));
    assert!(!problems[0].decides_the_model);
    assert_eq!(problems[0].place, "F:5");
}

#[test]
fn what_decides_who_answers_is_known() {
    let deciding = |source: &str| load_both(source, &[]).1[0].decides_the_model;
    assert!(deciding("= 3"));
    assert!(deciding("providers = 3"));
    assert!(deciding("[local]\nservers = 3"));
    assert!(!deciding("[retry]\nx = 1"));
}

#[test]
fn a_file_that_is_no_toml_is_placed() {
    let (settings, said) = loaded("model = 'a'\n= 3\n", &["model=b"]);
    assert_eq!(settings.model.as_deref(), Some("b"));
    assert!(said.starts_with("F:2: "), "{said}");
}

#[test]
fn a_bad_pair_is_named() {
    let pairs = [
        "nonsense",
        "retry.x=1",
        "a.b=1",
        "providers.lab.api_key_env=sk-secret",
        "think=1",
        "providers.new.base_url=x",
    ];
    let (_, problems) = load_both("", &pairs);
    assert!(problems.iter().all(|problem| problem.from_flag));
    let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    --config nonsense: expected KEY=VALUE
    --config a.b: unknown setting `a`
    --config providers.lab.api_key_env: `providers.lab.api_key_env`: that is no name of a variable; put the key into one, such as LAB_KEY, and its name here
    --config providers.new.base_url: `providers.new`: `kind` is missing
    --config retry.x: unknown setting `retry.x`; there are: max_attempts, idle_timeout_secs
    --config think: `think`: expected a section
    ");
}

/// As [`loaded`], with the project's file called `P`.
fn with_project(source: &str, project: Result<&str, &str>, pairs: &[&str]) -> (Settings, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    std::fs::write(&file, source).unwrap();
    let pairs: Vec<String> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
    let project = ProjectSettings {
        file: "P".into(),
        source: project.map(Into::into).map_err(Into::into),
    };
    let (settings, problems) = load(&file, Some(&project), &pairs);
    let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
    let said = said.join("\n").replace(&file.display().to_string(), "F");
    (settings, said)
}

#[test]
fn a_project_stands_between_user_and_pairs() {
    let user = "model = 'user'\n[retry]\nmax_attempts = 2\nidle_timeout_secs = 7\n[agent]\nmax_turns = 1\n";
    let project = "model = 'project'\n[retry]\nmax_attempts = 3\n[agent]\nmax_turns = 2\n";
    let (settings, said) = with_project(user, Ok(project), &["agent.max_turns=3"]);
    assert_eq!(said, "");
    assert_eq!(settings.model.as_deref(), Some("project"));
    assert_eq!(settings.retry.max_attempts, Some(3));
    assert_eq!(settings.retry.idle_timeout_secs, Some(7));
    assert_eq!(settings.agent.max_turns, Some(3));
}

#[test]
fn a_project_never_sets_what_protects_the_user() {
    let user =
        "[providers.lab]\nkind = 'openai'\nbase_url = 'http://mine'\n[sandbox]\nnetwork = 'off'\n";
    let project = "\
model = 'a'

[providers.lab]
base_url = 'http://theirs'
headers = { X = 'y' }

[approval]
mode = 'yolo'
auto_approve_ask = true

[sandbox]
mode = 'off'
network = 'on'

[hooks]
start = 'rm -rf /'

[local]
servers = ['http://theirs']
";
    let (settings, said) = with_project(user, Ok(project), &[]);
    let (alone, _) = loaded(user, &[]);
    let expected = Settings {
        model: Some("a".into()),
        ..alone
    };
    assert_eq!(settings, expected);
    insta::assert_snapshot!(said, @"
    P:9: `approval.auto_approve_ask`: not for a project to set, since it decides what is done without asking; it can be set in F
    P:8: `approval.mode`: not for a project to set, since it decides what is done without asking; it can be set in F
    P:19: `local.servers`: not for a project to set, since it decides who gets what you say, and your keys; it can be set in F
    P:3: `providers.lab`: not for a project to set, since it decides who gets what you say, and your keys; it can be set in F
    P:12: `sandbox.mode`: not for a project to set, since it decides what commands can reach; it can be set in F
    P:13: `sandbox.network`: not for a project to set, since it decides what commands can reach; it can be set in F
    P:15: unknown setting `hooks`
    ");
    assert!(!with_project("", Ok("providers = 3\n"), &[]).1.is_empty());
}

#[test]
fn what_a_project_gets_wrong_costs_the_user_nothing() {
    let user = "[retry]\nmax_attempts = 2\n";
    let project = "[retry]\nmax_attempts = 'many'\n[agnet]\n";
    let (settings, said) = with_project(user, Ok(project), &[]);
    assert_eq!(settings.retry.max_attempts, Some(2));
    insta::assert_snapshot!(said, @"
    P:3: unknown setting `agnet`; did you mean `agent`?
    P:2: `retry.max_attempts`: expected a number
    ");
    let (settings, said) = with_project(user, Ok("= 3"), &[]);
    assert_eq!(settings.retry.max_attempts, Some(2));
    assert!(said.starts_with("P:1: "), "{said}");
    let (_, said) = with_project(user, Err("a link"), &[]);
    assert_eq!(said, "P: a link");
}

#[test]
fn what_a_project_wants_is_known_beforehand() {
    let source =
        "model = 'a'\n[agent]\nx = 1\n[retry]\nmax_attempts = 1\n[approval]\nmode = 'yolo'\n[z]\n";
    let wishes = |source: Result<&str, &str>| {
        let source = source.map(Into::into).map_err(Into::into);
        let file = "P".into();
        ProjectSettings { file, source }.wishes()
    };
    let found = wishes(Ok(source));
    assert_eq!(
        found.granted,
        ["model = \"a\"", "retry.max_attempts = 1", "agent.x = 1"]
    );
    assert_eq!(found.refused, ["approval.mode = \"yolo\""]);
    assert_eq!(wishes(Ok("= 3")), Wishes::default());
    assert_eq!(wishes(Err("a link")), Wishes::default());
}

#[test]
fn servers_are_read_and_a_bad_one_costs_only_itself() {
    let source = "\
[mcp.servers.docs]
command = 'npx'
args = ['-y', 'docs server']
env = { TOKEN = '${DOCS_TOKEN}' }
timeout_ms = 500

[mcp.servers.web]
url = 'https://host/mcp'
headers = { Authorization = 'Bearer ${T}' }
disabled = true

[mcp.servers.none]
args = ['x']

[mcp.servers.both]
command = 'a'
url = 'http://b'

[mcp.servers.typo]
comand = 'a'

[mcp.servers.far]
url = 'ftp://x'

[mcp.servers.'a:b']
command = 'a'

[mcp.servers.odd]
url = 'http://b'
cwd = '/'

[mcp.servers.head]
command = 'a'
headers = { A = 'b' }

[mcp.servers.slow]
command = 'a'
timeout_ms = 0
[mcp]
server = 1
";
    let (settings, said) = loaded(source, &["mcp.servers.flag.command=run"]);
    let names: Vec<_> = settings.mcp.servers.keys().collect();
    assert_eq!(names, ["docs", "flag", "web"]);
    let docs = &settings.mcp.servers["docs"];
    assert_eq!(docs.transport(), Some(Transport::Command("npx")));
    assert_eq!(docs.args, ["-y", "docs server"]);
    assert_eq!(docs.timeout_ms, Some(500));
    assert!(settings.mcp.servers["web"].disabled && !docs.from_project);
    insta::assert_snapshot!(said, @"
    F:40: `mcp.server`: unknown setting; there are: servers
    F:25: `mcp.servers.a:b`: a server's name is made of letters, digits, `-` and `_`
    F:17: `mcp.servers.both.url`: there is a `command` already; keep one
    F:23: `mcp.servers.far.url`: expected an address such as https://host/mcp
    F:34: `mcp.servers.head.headers`: only a server with a `url` gets headers
    F:12: `mcp.servers.none`: `command` or `url` is missing
    F:28: `mcp.servers.odd`: `args`, `env` and `cwd` are for a `command`, and this one has a `url`
    F:38: `mcp.servers.slow.timeout_ms`: expected 1 or more; leave it out for the usual number
    F:20: unknown setting `mcp.servers.typo.comand`; did you mean `command`?
    ");
    let (_, said) = loaded("[mcp]\nservers = 3\n", &[]);
    assert_eq!(
        said,
        "F:2: `mcp.servers`: expected sections such as `[mcp.servers.docs]`"
    );
}

#[test]
fn servers_of_a_project_stand_beside_the_users_and_never_in_their_place() {
    let user = "[mcp.servers.docs]\ncommand = 'mine'\nargs = ['a']\n";
    let project =
        "[mcp.servers.docs]\ncommand = 'theirs'\n[mcp.servers.more]\ncommand = 'theirs'\n";
    let (settings, said) = with_project(user, Ok(project), &[]);
    let servers = &settings.mcp.servers;
    assert_eq!(
        servers["docs"].transport(),
        Some(Transport::Command("mine"))
    );
    assert!(!servers["docs"].from_project && servers["more"].from_project);
    insta::assert_snapshot!(said, @"P:1: `mcp.servers.docs`: you have a server of this name, which counts");
}
