//! `web_fetch` through the binary: who is asked about it, and what is asked of whom.
//!
//! The network is a proxy on this machine: so there are public hosts without a network.

use pollux_testkit::{HttpReply, ModelServer, Pollux, Project, Protocol, Ran, Terminal, Turn};
use serde_json::json;

use super::support::talking_to;

const GUIDE: &str = "http://docs.example.org/guide?part=1";

/// Everything there is on the network.
fn network() -> ModelServer {
    ModelServer::responding(|_| HttpReply::text(200, "The guide says so."))
}

fn fetch(url: &str) -> Turn {
    Turn::call("web_fetch", json!({"url": url}))
}

fn model(url: &str) -> ModelServer {
    ModelServer::speaking(Protocol::OpenAi, [fetch(url), Turn::text(["All done."])])
}

fn pollux(project: &Project, model: &ModelServer, network: &ModelServer) -> Pollux {
    talking_to(project, model, Protocol::OpenAi).env("http_proxy", network.base_url())
}

fn asked(network: &ModelServer) -> Vec<String> {
    let requests = network.requests().into_iter();
    requests.map(|request| request.path).collect()
}

fn rules(project: &Project, rules: &str) {
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    std::fs::write(project.pollux_home().join("rules.toml"), rules).unwrap();
}

fn allow(host: &str) -> String {
    format!("[[rule]]\ndecision = 'allow'\nhost = '{host}'\n")
}

/// The question on a terminal.
fn terminal(project: &Project, model: &ModelServer, network: &ModelServer, flag: &str) -> Terminal {
    let flags = [flag].into_iter().filter(|flag| !flag.is_empty());
    let spec = pollux(project, model, network).args(flags).command_spec();
    let terminal = Terminal::spawn(&spec, 40, 100);
    terminal.wait_for("[build] ").keys("go<enter>");
    terminal
}

fn leave(terminal: &Terminal) {
    terminal.wait_for("[build] ").keys("/quit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_person_sees_the_whole_address_and_yes_fetches_it_once() {
    for flag in ["", "--plain"] {
        let (project, network, model) = (Project::new(), network(), model(GUIDE));
        let terminal = terminal(&project, &model, &network, flag);
        terminal
            .wait_for("[approve] web_fetch")
            .wait_for(&format!("  {GUIDE}"))
            .wait_for("  host: docs.example.org")
            .wait_for("  why: it reaches `docs.example.org` over the network")
            .wait_for("from now on allow every address of `docs.example.org`")
            .wait_for("fetch it? [y/n/always]");
        assert_eq!(asked(&network), [""; 0]);
        terminal.keys("y<enter>").wait_for("All done.");
        leave(&terminal);
        assert_eq!(asked(&network), [GUIDE]);
        let read = model.requests()[1].text().to_owned();
        assert!(read.contains("The guide says so."), "{read}");
        assert!(read.contains("data from the network"), "{read}");
    }
}

#[test]
fn no_means_that_nobody_is_asked() {
    let (project, network, model) = (Project::new(), network(), model(GUIDE));
    let terminal = terminal(&project, &model, &network, "");
    terminal.wait_for("fetch it?").keys("n<enter>");
    leave(&terminal);
    assert_eq!(asked(&network), [""; 0]);
}

#[test]
fn always_is_for_the_host_and_can_be_taken_back() {
    let (project, network) = (Project::new(), network());
    let first = model(GUIDE);
    let opened = terminal(&project, &first, &network, "");
    opened.wait_for("fetch it?").keys("always<enter>");
    opened.wait_for("All done.");
    leave(&opened);
    let other = "http://docs.example.org/another";
    let second = model(other);
    let ran = pollux(&project, &second, &network).args(["-p", "go"]);
    ran.run().exited(0);
    let elsewhere = model("http://example.org/");
    let ran = pollux(&project, &elsewhere, &network).args(["-p", "go"]);
    ran.run().exited(0);
    assert_eq!(asked(&network), [GUIDE, other]);
    let third = model(GUIDE);
    let spec = pollux(&project, &third, &network).command_spec();
    let again = Terminal::spawn(&spec, 40, 100);
    again.wait_for("[build] ").keys("/permissions<enter>");
    again.wait_for("1. allow web_fetch docs.example.org (this project)");
    again
        .keys("/permissions remove 1<enter>")
        .wait_for("removed: ");
    again
        .keys("go<enter>")
        .wait_for("fetch it?")
        .keys("n<enter>");
    leave(&again);
}

#[test]
fn this_machine_is_asked_about_each_time_in_every_mode() {
    let (project, here) = (Project::new(), network());
    let url = format!("{}/admin", here.base_url());
    let model = model(&url);
    // It is reached directly: the proxy would look for it on its own machine.
    let proxy = network();
    let terminal = terminal(&project, &model, &proxy, "-y");
    terminal
        .wait_for(&format!("  {url}"))
        .wait_for("  DANGER: it reaches `127.0.0.1`: this machine or a network of yours")
        .wait_for("fetch it? [y/n]");
    terminal.keys("always<enter>").wait_for("fetch it? [y/n]");
    assert_eq!(asked(&here), [""; 0]);
    terminal.keys("y<enter>").wait_for("All done.");
    leave(&terminal);
    assert_eq!(
        (asked(&here), asked(&proxy)),
        (vec!["/admin".into()], vec![])
    );
}

fn headless(url: &str, source: &str, flags: &[&str]) -> (Ran, Vec<String>) {
    let (project, network, model) = (Project::new(), network(), model(url));
    rules(&project, source);
    let run = pollux(&project, &model, &network)
        .args(flags.iter().copied())
        .args(["-o", "stream-json", "-p", "go"]);
    (run.run().exited(0), asked(&network))
}

/// What the call came to, if it failed.
fn error(ran: &Ran) -> String {
    let lines = ran.json_lines().into_iter();
    let mut results = lines.filter(|line| line["type"] == "tool_result");
    let message = results.next().unwrap()["error"]["message"].clone();
    message.as_str().unwrap_or_default().to_owned()
}

#[test]
fn where_nobody_can_be_asked_rules_and_modes_decide() {
    let (ran, reached) = headless(GUIDE, "", &[]);
    insta::assert_snapshot!(error(&ran), @"`web_fetch http://docs.example.org/guide?part=1` was not run: it reaches `docs.example.org` over the network, which is not allowed. `--approval-mode yolo` would allow it.");
    assert_eq!(reached, [""; 0]);
    let deny = "[[rule]]\ndecision = 'deny'\nhost = '*.example.org'\nreason = 'not from here'\n";
    for (source, flags, fetched) in [
        (allow("docs.example.org").as_str(), &[][..], true),
        (allow("*.example.org").as_str(), &[], true),
        (allow("*.example.org").as_str(), &["--mode", "plan"], true),
        (allow("example.org").as_str(), &[], false),
        ("", &["--approval-mode", "auto-edit"], false),
        ("", &["-y"], true),
        ("", &["-y", "--mode", "plan"], false),
        ("", &["--config", "approval.auto_approve_ask=true"], true),
        (deny, &["-y"], false),
        // Nobody knows what it forbids.
        (
            "[[rule]]\ndecision = 'deny'\nhost = 'https://x'\n",
            &["-y"],
            false,
        ),
    ] {
        let (ran, reached) = headless(GUIDE, source, flags);
        let wanted: &[&str] = if fetched { &[GUIDE] } else { &[] };
        assert_eq!(reached, wanted, "{source} {flags:?}");
        assert_eq!(error(&ran).is_empty(), fetched, "{source} {flags:?}");
    }
}

#[test]
fn this_machine_is_never_reached_without_a_person() {
    let here = network();
    let url = here.base_url();
    let allowed = allow("127.0.0.1");
    for flags in [
        &["-y"][..],
        &["--config", "approval.auto_approve_ask=true"],
        &[],
    ] {
        let (ran, reached) = headless(&url, &allowed, flags);
        assert!(
            error(&ran).ends_with("Only a person can allow it."),
            "{ran:?}"
        );
        assert_eq!((reached.len(), asked(&here).len()), (0, 0), "{flags:?}");
    }
    let (ran, _) = headless("http://169.254.169.254/latest/meta-data", "", &["-y"]);
    assert!(error(&ran).contains("is never fetched"), "{ran:?}");
}

#[test]
fn a_bad_rule_is_told_with_its_place_and_key() {
    let source = "# mine\n[[rule]]\ndecision = 'allow'\nhost = 'example.org/docs'\n";
    let (ran, _) = headless(GUIDE, source, &[]);
    let lines = ran.json_lines().into_iter();
    let mut notices = lines.filter(|line| line["kind"] == "bad_setting");
    let told = notices.next().unwrap()["message"]
        .as_str()
        .unwrap()
        .to_owned();
    let (_, told) = told.split_once("rules.toml").unwrap();
    insta::assert_snapshot!(told, @":2: `host`: `example.org/docs` is no host; write `example.org`, or `*.example.org`");
}
