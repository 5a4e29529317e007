//! An MCP server that pollux starts: a shell script that answers lines of JSON.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::PATIENCE;

/// A server with some resources, and with whatever faults a test gives it. It notes what it is asked.
///
/// ```
/// # use pollux_testkit::McpServer;
/// let server = McpServer::new().resource("note://a", "A note", "alpha");
/// assert!(server.settings("notes").starts_with("[mcp.servers.notes]"));
/// ```
#[derive(Debug)]
pub struct McpServer {
    dir: TempDir,
    resources: Vec<Value>,
    texts: Vec<(String, String)>,
    faults: Vec<(String, String)>,
    first: String,
}

impl McpServer {
    /// A server without resources.
    pub fn new() -> Self {
        Self {
            dir: TempDir::with_prefix("pollux-mcp-").unwrap(),
            resources: Vec::new(),
            texts: Vec::new(),
            faults: Vec::new(),
            first: String::new(),
        }
        .written()
    }

    /// Adds a resource that is a text.
    #[must_use]
    pub fn resource(mut self, uri: &str, name: &str, text: &str) -> Self {
        self.resources.push(json!({"uri": uri, "name": name}));
        let contents = json!({"contents": [{"uri": uri, "text": text}]});
        self.texts.push((uri.to_owned(), contents.to_string()));
        self.written()
    }

    /// What a shell does instead when it is asked for `method`. It knows the line `$line`, its `$id`,
    /// the directory `$dir`, and how to `answer JSON`.
    #[must_use]
    pub fn on(mut self, method: &str, script: &str) -> Self {
        self.faults.push((method.to_owned(), script.to_owned()));
        self.written()
    }

    /// What a shell does before it is asked for anything.
    #[must_use]
    pub fn first(mut self, script: &str) -> Self {
        script.clone_into(&mut self.first);
        self.written()
    }

    /// The program.
    pub fn program(&self) -> PathBuf {
        self.at("server")
    }

    /// The settings for it, under this name, with a short time to answer.
    pub fn settings(&self, name: &str) -> String {
        let program = self.program();
        format!(
            "[mcp.servers.{name}]\ncommand = '{}'\ntimeout_ms = 2000\n",
            program.display()
        )
    }

    /// A file that it may have written into `$dir`; empty if it is not there.
    pub fn wrote(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap_or_default()
    }

    /// Its process ids, one for each time that it was started.
    pub fn started(&self) -> Vec<u32> {
        let ids = self.wrote("started");
        ids.lines().map(|id| id.parse().unwrap()).collect()
    }

    /// How often it was asked for this method.
    pub fn asked(&self, method: &str) -> usize {
        let method = format!("\"method\":\"{method}\"");
        let asked = self.wrote("asked");
        asked.lines().filter(|line| line.contains(&method)).count()
    }

    /// Waits until none of its processes runs.
    pub fn wait_gone(&self) {
        let deadline = Instant::now() + PATIENCE;
        let runs = |pid: &u32| match fs::read_to_string(format!("/proc/{pid}/stat")) {
            // A zombie does not run.
            Ok(stat) => !stat
                .rsplit(')')
                .next()
                .is_some_and(|rest| rest.starts_with(" Z")),
            Err(_) => false,
        };
        while self.started().iter().any(runs) {
            assert!(Instant::now() < deadline, "it still runs");
            std::thread::park_timeout(Duration::from_millis(2));
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn written(self) -> Self {
        let program = self.program();
        fs::write(&program, self.script()).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn script(&self) -> String {
        let dir = self.dir.path().display();
        let mut script = format!(
            "#!/bin/sh\ndir='{dir}'\necho $$ >> \"$dir/started\"\n\
             answer() {{ printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}}\\n' \"$id\" \"$1\"; }}\n\
             fail() {{ printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{{\"code\":-32002,\"message\":\"%s\"}}}}\\n' \"$id\" \"$1\"; }}\n\
             {}\nwhile IFS= read -r line; do\n\
             printf '%s\\n' \"$line\" >> \"$dir/asked\"\n\
             id=${{line#*\\\"id\\\":}}; id=${{id%%[,\\}}]*}}\ncase $line in\n",
            self.first
        );
        let mut case = |method: &str, more: &str, then: &str| {
            writeln!(script, "*'\"method\":\"{method}\"'*{more}) {then} ;;").unwrap();
        };
        for (method, then) in &self.faults {
            case(method, "", then);
        }
        for (uri, contents) in &self.texts {
            let more = format!("{}*", quoted(&format!("\"uri\":\"{uri}\"")));
            case(
                "resources/read",
                &more,
                &format!("answer {}", quoted(contents)),
            );
        }
        case("resources/read", "", "fail 'Resource not found'");
        let list = json!({"resources": self.resources}).to_string();
        case("resources/list", "", &format!("answer {}", quoted(&list)));
        let met = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"resources": {"listChanged": true}},
            "serverInfo": {"name": "test", "version": "1"},
        });
        let met = quoted(&met.to_string());
        case("initialize", "", &format!("answer {met}"));
        script.push_str("esac\ndone\n");
        script
    }
}

impl Default for McpServer {
    fn default() -> Self {
        Self::new()
    }
}

/// A word for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
