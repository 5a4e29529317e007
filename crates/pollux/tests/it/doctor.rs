//! `pollux doctor`: what it finds, and how it says to mend it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use pollux_testkit::{Defect, ModelServer, Pollux, Project, Protocol, Ran, Terminal};

use super::support::pollux;

fn doctor(project: &Project) -> Pollux {
    pollux(project).args(["doctor"])
}

/// A doctor for a set-up with this server.
fn with_server(project: &Project, server: &ModelServer, model: &str) -> Pollux {
    let url = format!("{}/v1", server.base_url());
    doctor(project).args(["--base-url", &url, "-m", model])
}

/// The findings but for those that depend on the machine, and the last.
fn findings(ran: &Ran) -> String {
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80));
    let is_machine = |line: &&str| {
        let name = line.get(6..).unwrap_or_default();
        ["git", "shell", "sandbox"]
            .iter()
            .any(|of| name.starts_with(of))
    };
    let lines = ran.stdout.lines().filter(|line| !is_machine(line));
    let lines: Vec<&str> = lines.take_while(|line| !line.contains("prompt ")).collect();
    lines.join("\n")
}

/// The line about one thing, with how to mend it.
fn about(ran: &Ran, name: &str) -> String {
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let is_it = |line: &&str| line.get(6..).is_some_and(|rest| rest.starts_with(name));
    let at = lines.iter().position(is_it).expect("a line about it");
    let goes_on = |line: &&&str| line.starts_with("      ");
    let more = lines[at + 1..].iter().take_while(goes_on);
    let all: Vec<&str> = std::iter::once(&lines[at]).chain(more).copied().collect();
    all.join("\n")
}

fn settings(project: &Project, text: &str) {
    fs::create_dir_all(project.pollux_home()).unwrap();
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(project.pollux_home(), private).unwrap();
    fs::write(project.pollux_home().join("config.toml"), text).unwrap();
}

#[test]
fn a_fresh_machine_is_fine() {
    let project = Project::new();
    let ran = doctor(&project).env("POLLUX_HOME", "none").run();
    let ran = ran.exited(0);
    insta::assert_snapshot!(findings(&ran), @"
    ok    settings     none: none/config.toml is not there
    ok    trust        nothing here that would be loaded
    ok    home         none will be made when it is needed
    ok    sessions     0 in this project, all readable
    warn  model        nothing is configured: the offline model answers
                    -> set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY; or
                       start a server such as Ollama
    ok    terminal     none here: pollux would answer once and exit
    ");
    assert!(!project.exists("none"));
    let prompt = about(&ran, "prompt");
    assert!(prompt.starts_with("ok    prompt       about "), "{prompt}");
    assert!(prompt.contains("before the conversation"), "{prompt}");
    assert!(about(&ran, "git").starts_with("ok "), "{ran:#?}");
    let sandbox = about(&ran, "sandbox");
    assert!(sandbox.contains("commands "), "{sandbox}");
    assert!(about(&ran, "shell").starts_with("ok "), "{ran:#?}");
}

#[test]
fn the_source_of_the_choice_is_named() {
    let project = Project::new();
    let server = ModelServer::obedient(Protocol::OpenAi, []);
    let url = format!("{}/v1", server.base_url());
    let flags = with_server(&project, &server, "mock-model").run().exited(0);
    assert_eq!(
        about(&flags, "model"),
        "ok    model        mock-model of `openai`, from the flags"
    );
    let variable = doctor(&project)
        .env("POLLUX_PROVIDER", "openai")
        .env("POLLUX_MODEL", "mock-model")
        .env("OPENAI_API_KEY", "the-key")
        .env("OPENAI_BASE_URL", &url)
        .run()
        .exited(0);
    assert!(about(&variable, "model").ends_with(", from POLLUX_PROVIDER"));
    assert_eq!(
        about(&variable, "key"),
        "ok    key          in OPENAI_API_KEY"
    );
    assert!(!variable.stdout.contains("the-key"));
    settings(
        &project,
        &format!(
            "provider = 'lab'\nmodel = 'mock-model'\n[providers.lab]\nkind = 'openai'\nbase_url = '{url}'\n"
        ),
    );
    let set = doctor(&project).run().exited(0);
    assert_eq!(
        about(&set, "model"),
        "ok    model        mock-model of `lab`, from the settings"
    );
    assert!(
        about(&set, "server").contains("answers, and has"),
        "{set:#?}"
    );
    let local = format!("local.servers=['{url}']");
    let elsewhere = Project::new();
    let found = pollux(&elsewhere).args(["doctor", "--config", &local]);
    let found = found.args(["--config", "local.timeout_ms=9000"]).run();
    assert!(about(&found.exited(0), "model").ends_with(", found on this machine"));
    let offline = doctor(&elsewhere).args(["-m", "offline"]).run().exited(0);
    assert_eq!(
        about(&offline, "model"),
        "ok    model        the offline model, from the flags"
    );
}

#[test]
fn bad_settings_are_placed() {
    let project = Project::new();
    settings(
        &project,
        "[retry]\nmax_attempts = 'many'\n\n[agnet]\nmax_turns = 3\n",
    );
    let ran = doctor(&project).run().exited(1);
    let said = about(&ran, "settings");
    assert!(ran.stdout.contains("config.toml:4:"), "{ran:#?}");
    assert!(ran.stdout.contains("config.toml:2:"), "{ran:#?}");
    assert!(said.starts_with("fail  settings"), "{said}");
    assert!(said.contains("-> correct or remove it"), "{said}");
    let gone = doctor(&project).env("POLLUX_CONFIG", "/nowhere.toml").run();
    insta::assert_snapshot!(about(&gone.exited(1), "settings"), @"fail  settings     POLLUX_CONFIG: `/nowhere.toml` is not there");
}

#[test]
fn settings_with_which_pollux_does_not_start_are_told() {
    let server = ModelServer::obedient(Protocol::OpenAi, []);
    let url = format!("{}/v1", server.base_url());
    let lab = format!("[providers.lab]\nkind = 'openai'\nbase_url = '{url}'\n");
    let head = "provider = 'lab'\nmodel = 'mock-model'\n";
    for (name, more, said) in [
        (
            "model",
            format!("{lab}profile = 'olama'\n"),
            "fail  model        providers.lab.profile: there is no `olama`\n                \
             -> did you mean `ollama`?",
        ),
        (
            "approval",
            format!("{lab}[approval]\nmode = 'all'\n"),
            "fail  approval     approval.mode: `all` is no approval mode\n                \
             -> there are: default, auto-edit, yolo",
        ),
        (
            "fallback",
            format!("{lab}[models]\nfallback = ['mock-model']\n"),
            "fail  fallback     models.fallback: `mock-model`: expected `provider/model`",
        ),
    ] {
        let project = Project::new();
        settings(&project, &format!("{head}{more}"));
        let ran = doctor(&project).run().exited(1);
        assert_eq!(about(&ran, name), said);
    }
    let project = Project::new();
    settings(
        &project,
        &format!("{head}{lab}[models]\nfallback = ['lab/other']\n"),
    );
    let ran = doctor(&project).run().exited(0);
    assert_eq!(about(&ran, "fallback"), "ok    fallback     lab/other");
}

#[test]
fn a_home_that_others_can_read_is_said() {
    let project = Project::new();
    settings(&project, "");
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(project.pollux_home(), open).unwrap();
    let ran = doctor(&project).run().exited(0);
    let said = about(&ran, "home");
    assert!(
        said.starts_with("warn  home") && said.contains("(mode 755)"),
        "{said}"
    );
    assert!(said.contains("-> chmod 700 "), "{said}");

    let project = Project::new().file("home", "a file");
    let ran = doctor(&project).env("POLLUX_HOME", "home").run().exited(1);
    insta::assert_snapshot!(about(&ran, "home"), @"
    fail  home         home is no directory
                    -> move it away, or set POLLUX_HOME to a directory
    ");
}

#[test]
fn damaged_sessions_are_named() {
    let project = Project::new();
    pollux(&project).args(["-p", "help"]).run().exited(0);
    let ran = doctor(&project).run().exited(0);
    assert_eq!(
        about(&ran, "sessions"),
        "ok    sessions     1 in this project, all readable"
    );
    let sessions = fs::read_dir(project.pollux_home().join("sessions")).unwrap();
    let dir = sessions.map(|entry| entry.unwrap().path()).next().unwrap();
    let log = fs::read_dir(dir).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, text.replacen('\n', "\n{broken\n", 1)).unwrap();
    let said = about(&doctor(&project).run().exited(0), "sessions");
    assert!(
        said.starts_with("warn  sessions") && said.contains("->"),
        "{said}"
    );
}

#[test]
fn a_missing_key_says_which() {
    let project = Project::new();
    let ran = doctor(&project)
        .args(["--provider", "gemini"])
        .run()
        .exited(1);
    insta::assert_snapshot!(about(&ran, "model"), @"
    fail  model        no API key for the provider `gemini`
                    -> set GEMINI_API_KEY or GOOGLE_API_KEY; or try `--provider
                       offline`
    ");
}

#[test]
fn servers_that_do_not_work_are_told_apart() {
    let project = Project::new();
    let locked = ModelServer::obedient(Protocol::OpenAi, [Defect::Locked]);
    let ran = with_server(&project, &locked, "mock-model").run().exited(1);
    insta::assert_snapshot!(about(&ran, "server"), @"
    fail  server       that is no key of ours (HTTP 401 Unauthorized)
                    -> no key was sent: set OPENAI_API_KEY
    ");
    let server = ModelServer::obedient(Protocol::OpenAi, []);
    let ran = with_server(&project, &server, "mock-modle").run().exited(0);
    let said = about(&ran, "server");
    assert!(said.starts_with("warn  server"), "{said}");
    assert!(said.ends_with("-> `--model mock-model` is there"), "{said}");
    let asked = server.requests();
    assert!(
        asked.iter().all(|request| request.method == "GET"),
        "{asked:#?}"
    );
    let gone = with_server(&project, &server, "mock-model");
    drop(server);
    let said = about(&gone.run().exited(1), "server");
    assert!(
        said.starts_with("fail  server       cannot reach 127.0.0.1:"),
        "{said}"
    );
}

#[test]
fn the_shell_and_the_terminal_are_looked_for() {
    let project = Project::new();
    let ran = doctor(&project).env("PATH", "/nowhere").run().exited(1);
    assert!(about(&ran, "git").starts_with("warn  git          not in PATH"));
    assert!(about(&ran, "shell").starts_with("fail  shell        neither bash nor sh"));
    let terminal = Terminal::spawn(&doctor(&project).command_spec(), 40, 100);
    terminal.wait_for("ok    terminal     xterm-256color");
    assert_eq!(terminal.wait_exit(), 0);
    let dumb = doctor(&project).env("TERM", "dumb").command_spec();
    Terminal::spawn(&dumb, 40, 100).wait_for("warn  terminal     TERM does not say");
}

#[test]
fn trust_is_told_and_how_to_end_it() {
    let project = Project::new().file(".pollux/config.toml", "model = 'offline'\n");
    let told = |ran: &Ran| about(ran, "trust");
    let ran = doctor(&project).run().exited(0);
    insta::assert_snapshot!(told(&ran), @"
    warn  trust        this folder is not trusted, so pollux does not read
                       .pollux/config.toml; to trust it start `pollux` here on a
                       terminal, or add `--trust` for this run
    ");
    let ran = doctor(&project).args(["--no-trust"]).run().exited(0);
    insta::assert_snapshot!(told(&ran), @"skip  trust        `--no-trust`");
    let ran = doctor(&project).args(["--trust"]).run().exited(0);
    insta::assert_snapshot!(told(&ran), @"ok    trust        for this run: `--trust`");
    assert!(about(&ran, "model").ends_with("the offline model, from the settings"));

    let terminal = Terminal::spawn(&pollux(&project).command_spec(), 24, 100);
    terminal.wait_for("trust it?").keys("y<enter>");
    terminal.wait_for("[build] ").keys("/quit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
    let ran = told(&doctor(&project).run().exited(0));
    assert!(
        ran.starts_with("ok    trust        you trust this folder with 1 file\n"),
        "{ran}"
    );
    assert!(
        ran.contains("-> to end that, remove its section from"),
        "{ran}"
    );
    fs::write(project.pollux_home().join("trust.toml"), "x = 1\n").unwrap();
    let ran = told(&doctor(&project).run().exited(1));
    assert!(
        ran.starts_with("fail  trust        no folder is trusted:"),
        "{ran}"
    );
    assert!(ran.contains("-> correct that file, or remove it"), "{ran}");
    project.write(".pollux/big", vec![b'x'; 5 << 20]);
    let ran = doctor(&project).args(["--trust"]).run().exited(1);
    insta::assert_snapshot!(told(&ran), @"
    fail  trust        this folder cannot be trusted: .pollux/big: more than 4 MiB
                       in all
                    -> without `--trust` pollux goes on with your own settings alone
    ");
}
