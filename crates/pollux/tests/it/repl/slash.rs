//! Slash commands that need the program around the REPL.

use pollux_testkit::{CommandSpec, HttpReply, ModelServer, Project, Terminal, Turn};
use serde_json::json;

use super::super::support::pollux;
use super::{Repl, Start};

/// A server that only lists what it has.
fn listing(models: &'static [&'static str]) -> ModelServer {
    ModelServer::responding(move |request| {
        if request.path.ends_with("/models") {
            let data: Vec<_> = models.iter().map(|id| json!({"id": id})).collect();
            return HttpReply::json(200, json!({"object": "list", "data": data}));
        }
        HttpReply::json(500, json!({}))
    })
}

#[test]
fn models_of_the_server_are_completed_and_listed() {
    let server = listing(&["mock", "small-model", "text-embedding-x"]);
    let lab = listing(&["lab-model"]);
    let url = lab.base_url();
    let repl = Start::new([])
        .served_by(server)
        .with(move |run| run.args(["--config", &format!("providers.lab.base_url={url}")]))
        .start();
    assert!(repl.server.requests().is_empty(), "nobody has asked");
    repl.keys("/model sma").sees("> small-model").keys("<tab>");
    repl.typed("/model small-model").keys("<c-u>");
    repl.keys("/model lab-")
        .sees("> lab/lab-model")
        .keys("<c-u>");
    // What was just told is not asked again.
    repl.keys("/model<enter>")
        .sees("model: mock (openai)")
        .sees("openai: 2 models")
        .sees("lab: 1 model")
        .sees("  lab/lab-model");
    assert_eq!(repl.server.requests().len(), 1);
    assert_eq!(lab.requests().len(), 1);
    repl.keys("/model small-model<enter>")
        .sees("model: small-model");
    repl.quit();
}

#[test]
fn a_server_without_a_list_is_told_of() {
    let server = ModelServer::responding(|_| HttpReply::json(503, json!({"error": "asleep"})));
    let repl = Start::new([]).served_by(server).start();
    repl.keys("/model<enter>")
        .sees("openai: no list of models: ")
        .ready();
    repl.quit();
}

#[test]
fn a_provider_or_a_model_that_is_not_there_is_told_of() {
    let server = listing(&["mock", "org/model"]);
    let repl = Start::new([]).served_by(server).size(40, 120).start();
    let unknown =
        "note: unknown provider `nope`; there are: gemini, openai, anthropic, offline, lab";
    repl.keys("/model nope/x<enter>").sees(unknown);
    repl.keys("/provider nop<enter>")
        .sees("note: unknown provider `nop`");
    repl.sees("model: mock").keys("/model other<enter>");
    repl.sees("note: `openai` does not list a model `other`; it is asked for all the same")
        .sees("model: other");
    repl.keys("/model org/model<enter>")
        .sees("model: org/model")
        .quit();
    assert!(!repl.terminal.screen().contains("`org/model`;"));
}

/// Names of models have slashes in them too, and not every server tells what it has.
#[test]
fn a_server_that_lists_nothing_is_asked_for_any_model() {
    let server = ModelServer::responding(|_| HttpReply::json(501, json!({"error": "no list"})));
    let repl = Start::new([]).served_by(server).size(40, 120).start();
    repl.keys("/model org/name<enter>")
        .sees("note: `openai`, which does not list its models, is asked for `org/name`")
        .sees("model: org/name")
        .quit();
}

#[test]
fn providers_tell_whether_they_are_set_up() {
    let repl = Start::new([])
        .with(|run| {
            run.args(["--config", "providers.blue.kind=anthropic"])
                .args(["--config", "providers.blue.base_url=http://blue:1"])
                .args(["--config", "providers.blue.api_key_env=BLUE_KEY"])
        })
        .start();
    repl.keys("/provider<enter>")
        .sees("provider: openai")
        .sees("blue       http://blue:1, without a key")
        .sees("lab        not set up: ")
        .sees("offline    built in")
        .sees("with the key in GEMINI_API_KEY");
    assert!(repl.server.requests().is_empty());
    repl.quit();
}

#[test]
fn a_session_is_exported_and_nothing_overwritten() {
    let repl = Repl::new([Turn::text(["The *answer*."])]);
    repl.keys("/export<enter>")
        .sees("nothing has been said in this session yet");
    repl.keys("a question<enter>").sees("The answer.").ready();
    repl.keys("/export<enter>").sees("the session is in ");
    repl.keys("/export html page.html<enter>")
        .sees("page.html")
        .ready();
    repl.keys("/export page.html<enter>")
        .sees("it is there already")
        .ready();
    let files = std::fs::read_dir(repl.project.path()).unwrap();
    let names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let name = names
        .iter()
        .find(|name| name.starts_with("pollux-"))
        .unwrap();
    let text = repl.project.read(name);
    assert!(
        text.contains("## You\n\na question\n\n## Answer\n\nThe *answer*.\n"),
        "{text}"
    );
    assert!(
        repl.project
            .read("page.html")
            .contains("<pre>a question</pre>")
    );
    let printed = pollux(&repl.project)
        .args(["sessions", "export", "1"])
        .run()
        .exited(0);
    assert_eq!(printed.stdout, text);
    repl.quit();
}

#[test]
fn a_session_is_found_by_its_name() {
    let turns = ["One.", "Two.", "Three."].map(|text| Turn::text([text]));
    let repl = Repl::new(turns);
    repl.keys("/save too soon<enter>")
        .sees("note: nothing has been said in this session yet");
    repl.keys("first words<enter>").sees("One.").ready();
    repl.keys("/save 12<enter>")
        .sees("numbers mean sessions already");
    repl.keys("/save the parser<enter>")
        .sees("this session is called `the parser` now");
    repl.keys("/new<enter>")
        .sees("note: a new session has begun; `/resume ")
        .ready();
    repl.keys("second words<enter>").sees("Two.").ready();
    repl.keys("/sessions<enter>")
        .sees("  the parser: first words");
    repl.keys("/resume the parser<enter>").ready();
    repl.keys("third words<enter>").sees("Three.");
    let asked = repl.request(2);
    assert!(
        asked.contains("first words") && !asked.contains("second words"),
        "{asked}"
    );
    repl.quit();
    let listed = pollux(&repl.project)
        .args(["sessions", "list"])
        .run()
        .exited(0)
        .stdout;
    assert!(listed.contains("  the parser: first words\n"), "{listed}");
    pollux(&repl.project)
        .args(["sessions", "show", "the parser"])
        .run()
        .exited(0);
}

#[test]
fn init_is_a_message_that_the_user_sees() {
    let project = Project::new().file("POLLUX.md", "old\n");
    let turns = [Turn::text(["Written."]), Turn::text(["Better."])];
    let repl = Start::new(turns).start();
    repl.keys("/init<enter>")
        .sees("> Look at this project, and write POLLUX.md")
        .sees("Written.")
        .ready();
    assert!(repl.request(0).contains("and write POLLUX.md"));
    repl.keys("/plan<enter>").sees("[plan] ");
    repl.keys("/init<enter>")
        .sees("in plan mode nothing is written");
    repl.quit();
    let repl = Start::new([Turn::text(["Better."])]).at(project).start();
    repl.keys("/init<enter>").sees("Better.");
    assert!(repl.request(0).contains("improve POLLUX.md"));
    repl.quit();
}

#[test]
fn what_was_used_is_told_by_model_and_costs_what_is_set() {
    let turns = || [Turn::text(["Hi."]).usage(1_000_000, 100_000)];
    let repl = Repl::new(turns());
    repl.keys("/cost<enter>").sees("nothing has been asked yet");
    repl.keys("hello<enter>").sees("Hi.").ready();
    repl.keys("/cost<enter>")
        .sees("openai/mock: 1 request, 1000000 tokens in (0 of them cached), 100000 out")
        .sees("[prices.\"openai/mock\"]");
    repl.quit();
    let repl = Start::new(turns())
        .with(|run| {
            run.args(["--config", "prices.mock.input=2"])
                .args(["--config", "prices.mock.output=10"])
        })
        .start();
    repl.keys("hello<enter>").sees("Hi.").ready();
    repl.keys("/cost<enter>").sees("100000 out: $3.00");
    repl.quit();
}

/// A repository with one commit.
fn repository() -> Project {
    let project = Project::new()
        .file("kept.txt", "one\n")
        .file("gone.txt", "old\n")
        .file(".env", "KEY=1\n");
    let script = "git init -q && git add -A -f && \
                  git -c user.name=a -c user.email=a@b commit -qm one";
    let spec = CommandSpec::sh(script).cwd(project.path());
    assert_eq!(Terminal::spawn(&spec, 10, 80).wait_exit(), 0);
    project
}

#[test]
fn changes_since_the_last_commit_are_shown_without_secrets() {
    let project = repository();
    project.write("kept.txt", "one\ntwo\n");
    project.write("new file.txt", "fresh\n");
    project.write(".env", "KEY=the-secret\n");
    std::fs::remove_file(project.at("gone.txt")).unwrap();
    let plant = project.at("ran").display().to_string();
    let config = format!("[diff]\n\texternal = touch {plant}\n");
    let old = project.read(".git/config");
    project.write(".git/config", old + &config);
    let repl = Start::new([]).at(project).size(60, 100).start();
    repl.keys("/diff<enter>")
        .sees("+two")
        .sees("-old")
        .sees("+fresh")
        .sees("3 files changed since the last commit (+2 -1)")
        .sees("left out, may hold secrets: .env");
    let said = repl.terminal.contents_with_scrollback();
    assert!(!said.contains("the-secret"), "{said}");
    assert!(!repl.project.exists("ran"));
    repl.keys("/diff new")
        .sees("> new file.txt")
        .keys("<tab><enter>")
        .sees("1 file changed since the last commit (+1 -0)");
    assert!(repl.server.requests().is_empty());
    repl.quit();
}

#[test]
fn changes_are_told_whatever_is_set_and_however_large() {
    let project = repository();
    let config = "[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n\trelative = true\n";
    let old = project.read(".git/config");
    project.write(".git/config", old + config);
    project.write("gone.txt", "-- new\n");
    project.write("kept.txt", "long ".repeat(1_000_000));
    let repl = Start::new([]).at(project).size(60, 100).start();
    repl.keys("/diff<enter>")
        .sees("--- a/gone.txt\n+++ b/gone.txt")
        .sees("2 files changed since the last commit (+1 -1 and more)")
        .sees("left out, too much to show: kept.txt");
    repl.quit();
}

#[test]
fn without_git_the_edits_of_the_model_are_shown() {
    let args = json!({"file_path": "a.txt", "content": "made\n"});
    let repl = Start::new([Turn::call("write_file", args), Turn::text(["Done."])])
        .with(|run| run.args(["--approval-mode", "auto-edit"]))
        .start();
    repl.keys("/diff<enter>")
        .sees("git does not tell (")
        .sees("nothing has changed by the model in this session");
    repl.keys("write<enter>").sees("Done.").ready();
    repl.keys("/diff<enter>")
        .sees("1 file changed by the model in this session (+1 -0)");
    repl.quit();
}

#[test]
fn a_narrow_screen_has_its_columns_one_below_the_other() {
    let repl = Start::new([Turn::text(["Yes."])]).size(60, 40).start();
    repl.sees("note: `/help` lists commands and keys;");
    repl.keys("is it?<enter>").sees("Yes.").ready();
    repl.keys("/resume<enter>").has_said("\n      is it?\n");
    repl.has_said("`/resume NUMBER` goes on with one, and");
    repl.keys("/tools<enter>")
        .has_said("\n  glob\n      Finds files by name, newest first.\n");
    repl.keys("/help export<enter>")
        .has_said("\n  /export html\n      as a page\n");
    repl.keys("/help keys<enter>")
        .has_said("\n  \\ and Enter\n      Begin a new line");
    repl.quit();
}

#[test]
fn settings_are_told_with_their_place() {
    let project = Project::new();
    let file = project.pollux_home().join("config.toml");
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    std::fs::write(&file, "[agent]\nmax_turns = 7\n").unwrap();
    let repl = Start::new([]).at(project).size(40, 160).start();
    repl.keys("/settings<enter>");
    repl.sees("agent.max_turns = 7")
        .sees("config.toml:2\n")
        .sees("retry.max_attempts = 1")
        .sees("  --config retry.max_attempts\n")
        .sees("--model mock")
        .sees("To change something for good, write it into ");
    repl.quit();
}
