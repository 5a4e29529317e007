//! Running the binary.

use pollux_testkit::{CommandSpec, ModelServer, Pollux, Project, Protocol};
use serde_json::Value;

/// The binary in `project`, with nothing configured but that it looks for no servers: a test must
/// not depend on what else runs on this machine.
pub(crate) fn pollux(project: &Project) -> Pollux {
    let pollux = Pollux::new(env!("CARGO_BIN_EXE_pollux"), project);
    pollux.args(["--config", "local.servers=[]"])
}

/// The binary in `project`, talking to `server`, which it asks only once.
pub(crate) fn talking_to(project: &Project, server: &ModelServer, protocol: Protocol) -> Pollux {
    let provider = match protocol {
        Protocol::Gemini => "gemini",
        Protocol::OpenAi => "openai",
        Protocol::Anthropic => "anthropic",
        Protocol::Ollama => "lab",
    };
    let lab = ["kind=openai", "profile=ollama", "context_window=8192"];
    let lab = lab.map(|setting| format!("--config=providers.lab.{setting}"));
    let url = server.base_url();
    pollux(project)
        .args([
            "--provider",
            provider,
            "-m",
            "mock",
            "--base-url",
            url.as_str(),
        ])
        .args(lab)
        .args(["--config", "retry.max_attempts=1"])
        .env("GEMINI_API_KEY", "the-key")
        .env("OPENAI_API_KEY", "the-key")
        .env("ANTHROPIC_API_KEY", "the-key")
}

/// What was printed, with `SERVER` for the server's changing address.
pub(crate) fn placed(printed: &str, server: &ModelServer) -> String {
    printed.replace(&server.address().to_string(), "SERVER")
}

/// A shell that runs `script`, in which `{pollux}` stands for the run.
pub(crate) fn in_shell(run: &Pollux, script: &str) -> CommandSpec {
    let spec = run.command_spec();
    let words = std::iter::once(spec.program.to_str().unwrap());
    let words = words.chain(spec.args.iter().map(String::as_str));
    let quoted: Vec<String> = words.map(|word| format!("'{word}'")).collect();
    let shell = CommandSpec::sh(script.replace("{pollux}", &quoted.join(" ")));
    let shell = shell.cwd(spec.cwd);
    spec.env
        .iter()
        .fold(shell, |shell, (name, value)| shell.env(name, value))
}

/// Stream-json lines without what differs from run to run, neighbouring deltas joined.
pub(crate) fn steady(lines: Vec<Value>) -> Vec<Value> {
    let mut steady: Vec<Value> = Vec::new();
    for mut line in lines {
        for key in ["timestamp", "session_id", "provider", "base_url"] {
            line.as_object_mut().unwrap().shift_remove(key);
        }
        if let Some(stats) = line.get_mut("stats") {
            stats["duration_ms"] = 0.into();
        }
        match steady.last_mut() {
            Some(last) if last["delta"] == true && line["delta"] == true => {
                let joined = format!("{}{}", str(&last["content"]), str(&line["content"]));
                last["content"] = joined.into();
            }
            _ => steady.push(line),
        }
    }
    steady
}

fn str(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A line each, for snapshots.
pub(crate) fn shown(lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n")
}
