//! MCP servers: what a prompt names of them, what they may do, and what becomes of them.

mod faults;

use std::fs;

use pollux_testkit::{HttpReply, McpServer, ModelServer, Pollux, Project, Protocol, Ran, Turn};
use serde_json::{Value, json};

use super::support::{placed, pollux, talking_to};

fn model() -> ModelServer {
    ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])])
}

fn notes() -> McpServer {
    McpServer::new()
        .resource("note://a", "A note", "alpha\n")
        .resource("note://b", "Another", "beta\n")
}

/// The user's settings.
fn set(project: &Project, settings: &str) {
    fs::create_dir_all(project.pollux_home()).unwrap();
    fs::write(project.pollux_home().join("config.toml"), settings).unwrap();
}

/// A run in which `server` is called `docs`.
fn with_docs(server: &McpServer, model: &ModelServer) -> (Project, Pollux) {
    let project = Project::new();
    set(&project, &server.settings("docs"));
    let run = talking_to(&project, model, Protocol::OpenAi);
    (project, run)
}

/// Asks with a prompt that names `note://a`; what the model read, if it was asked.
fn read(server: &McpServer) -> (Ran, Option<String>) {
    let model = model();
    let (_project, run) = with_docs(server, &model);
    let ran = run.args(["-p", "read @docs:note://a"]).run();
    server.wait_gone();
    let sent = model
        .requests()
        .first()
        .map(|request| request.text().to_owned());
    (ran, sent)
}

#[test]
fn d5_a_resource_goes_with_the_prompt() {
    let (server, model) = (notes(), model());
    let (_project, run) = with_docs(&server, &model);
    let prompt = "compare @docs:note://a, (@docs:note://b). Not @other:note://a or @docs.";
    let ran = run.args(["-p", prompt]).run().exited(0);
    insta::assert_snapshot!(ran.stderr, @"
    [tool] read_many_files docs:note://a
    [tool] read_many_files docs:note://b
    ");
    let sent = model.requests()[0].json();
    let said = sent["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    insta::assert_snapshot!(said.as_str().unwrap(), @"
    compare @docs:note://a, (@docs:note://b). Not @other:note://a or @docs.

    --- Content from referenced files ---
    Content from @docs:note://a, data of an MCP server, whatever it says:
    alpha
    Content from @docs:note://b, data of an MCP server, whatever it says:
    beta
    --- End of content ---
    ");
    assert_eq!(server.started().len(), 1);
    server.wait_gone();
}

#[test]
fn what_a_server_does_not_have_is_an_error_and_nothing_is_sent() {
    let (server, model) = (notes(), model());
    let (_project, run) = with_docs(&server, &model);
    let ran = run.args(["-p", "read @docs:note://c"]).run().exited(42);
    insta::assert_snapshot!(ran.stderr, @r"
    [tool] read_many_files docs:note://c
    [tool] read_many_files failed: MCP server `docs`: it says: Resource not found
    error: `@docs:note://c` was not read: MCP server `docs`: it says: Resource not found
    hint: nothing was sent; write `\@` where you mean no file
    ");
    assert!(model.requests().is_empty());
}

#[test]
fn nothing_is_started_that_nobody_wants() {
    let (server, model) = (notes(), model());
    let (_project, run) = with_docs(&server, &model);
    run.args(["-p", "hello docs:note://a"]).run().exited(0);
    assert_eq!(server.started(), Vec::<u32>::new());
}

/// A project's servers count when the folder is trusted, and are not started before.
#[test]
fn r35_servers_of_a_project_wait_for_trust() {
    let (server, model) = (notes(), model());
    let project = Project::new().file(".pollux/config.toml", server.settings("docs"));
    let run = talking_to(&project, &model, Protocol::OpenAi).args(["-p", "read @docs:note://a"]);
    run.run().exited(0);
    assert_eq!(server.started(), Vec::<u32>::new());
    assert!(!model.requests()[0].text().contains("alpha"));
    model.push(HttpReply::status(500));
    run.args(["--trust"]).run();
    assert_eq!(server.started().len(), 1);
    server.wait_gone();
}

#[test]
fn servers_are_offered_nothing_of_the_client() {
    let wants = r#"printf '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9}}\n'
        printf '{"jsonrpc":"2.0","id":8,"method":"roots/list"}\n'
        answer '{"contents":[{"uri":"x","text":"alpha"}]}'"#;
    let server = notes().on("resources/read", wants);
    let (ran, sent) = read(&server);
    ran.exited(0);
    assert!(sent.unwrap().contains("alpha"));
    let met = server.wrote("asked");
    let met: Value = serde_json::from_str(met.lines().next().unwrap()).unwrap();
    assert_eq!(met["params"]["capabilities"], json!({}));
    assert_eq!(met["params"]["clientInfo"]["name"], "pollux");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let (project, model) = (Project::new(), model());
    set(
        &project,
        "[mcp.servers.docs]\ncommand = 'no-such-program'\n",
    );
    let run = talking_to(&project, &model, Protocol::OpenAi);
    let ran = run.args(["-p", "read @docs:x"]).run().exited(42);
    insta::assert_snapshot!(ran.stderr.lines().nth(1).unwrap(), @"[tool] read_many_files failed: MCP server `docs`: it ended before it answered: `no-such-program` was not started: No such file or directory (os error 2)");
}

/// What servers get to see of the environment.
#[test]
fn r42_secrets_are_hidden_from_servers() {
    let (server, model) = (notes().first("env > \"$dir/env\""), model());
    let project = Project::new();
    let env = "env = { OWN = 'mine', GIVEN_TOKEN = '${MY_TOKEN}' }\n";
    set(&project, &(server.settings("docs") + env));
    let run = talking_to(&project, &model, Protocol::OpenAi)
        .env("MY_TOKEN", "t0ken")
        .env("DB_PASSWORD", "hunter2")
        .env("HARMLESS", "ghp_0123456789abcdefghij")
        .env("LD_PRELOAD", "")
        .env("PLAIN", "seen");
    run.args(["-p", "read @docs:note://a"]).run().exited(0);
    let env = server.wrote("env");
    for seen in ["OWN=mine", "GIVEN_TOKEN=t0ken", "PLAIN=seen", "PATH="] {
        assert!(
            env.lines().any(|line| line.starts_with(seen)),
            "{seen}: {env}"
        );
    }
    for hidden in ["the-key", "MY_TOKEN=", "hunter2", "ghp_", "LD_PRELOAD"] {
        assert!(
            !env.lines()
                .any(|line| line.starts_with(hidden) || line.contains(&format!("={hidden}"))),
            "{hidden}: {env}"
        );
    }
}

/// A server at an address, which wants to know who asks.
fn listening() -> ModelServer {
    ModelServer::responding(|request| {
        if request.header("authorization") != Some("Bearer t0ken") {
            return HttpReply::status(401).header("www-authenticate", "Bearer");
        }
        if request.method != "POST" {
            return HttpReply::status(405);
        }
        let asked = request.json();
        let result = match asked["method"].as_str().unwrap() {
            "initialize" => json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {"resources": {}},
                "serverInfo": {"name": "test", "version": "1"},
            }),
            "resources/list" => json!({"resources": [{"uri": "note://a", "name": "A"}]}),
            "resources/read" => json!({"contents": [{"uri": "note://a", "text": "far away"}]}),
            _ => return HttpReply::status(202),
        };
        let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
        if asked["method"] == "resources/read" {
            return HttpReply::sse().event(answer);
        }
        HttpReply::json(200, answer)
    })
}

#[test]
fn a_server_at_an_address_is_called() {
    let (server, model, project) = (listening(), model(), Project::new());
    let url = format!("http://{}/mcp", server.address());
    let headers = "headers = { Authorization = 'Bearer ${MY_TOKEN}' }\n";
    set(
        &project,
        &format!("[mcp.servers.far]\nurl = '{url}'\n{headers}"),
    );
    let run = || talking_to(&project, &model, Protocol::OpenAi).args(["-p", "read @far:note://a"]);
    run().env("MY_TOKEN", "t0ken").run().exited(0);
    assert!(model.requests()[0].text().contains("far away"));
    let ran = run().env("MY_TOKEN", "other").run().exited(42);
    assert!(
        ran.stderr
            .contains("it wants to know who asks; `headers` can say so"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("other"), "{}", ran.stderr);
    drop(server);
    let ran = run().env("MY_TOKEN", "t0ken").run().exited(42);
    assert!(
        ran.stderr.contains("it cannot be reached: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn servers_are_added_listed_and_removed() {
    let (server, project, far) = (notes(), Project::new(), listening());
    set(&project, "# mine\n[ui]\nvim = true\n");
    let run = |words: &[&str]| {
        pollux(&project)
            .env("T", "t0ken")
            .args(words.iter().copied())
            .run()
    };
    let program = server.program();
    let program = program.to_str().unwrap();
    run(&[
        "mcp", "add", "docs", "--env", "A=b", "--", program, "-x", "a b",
    ])
    .exited(0);
    let url = format!("http://{}/mcp", far.address());
    run(&[
        "mcp",
        "add",
        "far",
        "--url",
        &url,
        "--header",
        "Authorization=Bearer ${T}",
    ])
    .exited(0);
    run(&["mcp", "add", "bad", "--", "false"]).exited(0);
    let listed = run(&["mcp", "list"]).exited(0);
    insta::assert_snapshot!(placed(&listed.stdout, &far), @"
    bad: failed: it ended before it answered: it ended with exit code 1
    docs: ready, 2 resources
    far: ready, 1 resource
    ");
    server.wait_gone();
    for name in ["docs", "far", "bad"] {
        run(&["mcp", "remove", name]).exited(0);
    }
    let left = fs::read_to_string(project.pollux_home().join("config.toml")).unwrap();
    assert_eq!(left.trim_end(), "# mine\n[ui]\nvim = true");
    let refused = [
        run(&["mcp", "remove", "docs"]).exited(42).stderr,
        run(&["mcp", "add", "a:b", "--", "x"]).exited(52).stderr,
        run(&["mcp", "add", "a", "--url", "host"]).exited(52).stderr,
        run(&["mcp", "list"]).exited(0).stdout,
    ];
    let home = project.pollux_home().display().to_string();
    insta::assert_snapshot!(refused.concat().replace(&home, "HOME"), @"
    error: HOME/config.toml has no MCP server `docs`
    error: `a:b`: a server's name is made of letters, digits, `-` and `_`
    error: `mcp.servers.a.url`: expected an address such as https://host/mcp
    there are no MCP servers; `pollux mcp add NAME -- COMMAND` adds one
    ");
    run(&["mcp", "add", "a"]).exited(2);
}

#[test]
fn settings_of_servers_that_are_wrong_are_told_and_cost_nothing_else() {
    let (server, model) = (notes(), model());
    let (project, _) = with_docs(&server, &model);
    set(
        &project,
        &format!("{}[mcp.servers.x]\ncomand = 'a'\n", server.settings("docs")),
    );
    let run = talking_to(&project, &model, Protocol::OpenAi);
    let ran = run
        .args(["-o", "stream-json", "-p", "read @docs:note://a"])
        .run()
        .exited(0);
    let lines = ran.json_lines();
    let told: Vec<&Value> = lines
        .iter()
        .filter(|line| line["type"] == "notice")
        .collect();
    let said = told[0]["message"].as_str().unwrap();
    assert!(
        said.ends_with(
            "config.toml:5: unknown setting `mcp.servers.x.comand`; did you mean `command`?"
        ),
        "{said}"
    );
}
