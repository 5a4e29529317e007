//! A project on disk and the tools on it, for tests.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use pollux_types::ToolError;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    BadArgs, Notes, Outcome, Plan, Reach, Registry, RunContext, Sandbox, ShellLimits, Workspace,
};

pub(crate) struct Project {
    dir: TempDir,
    pub(crate) registry: Registry,
}

impl Project {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Arc::new(Workspace::new(dir.path(), &[]).unwrap());
        let reach = Reach::new(pollux_model::http_client);
        let limits = ShellLimits::default();
        let shared = Arc::clone(&workspace);
        let registry = Registry::builtin(shared, limits, Sandbox::off(), reach);
        let notes = Notes {
            project: workspace.root().join("POLLUX.md"),
            user: workspace.root().join("home/POLLUX.md"),
            keep: |file, _, content| {
                fs::create_dir_all(file.parent().unwrap()).and_then(|()| fs::write(file, content))
            },
        };
        let registry = registry.remembering(workspace, notes);
        Self { dir, registry }
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let project = Self::new();
        for (name, content) in files {
            project.file(name, content);
        }
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// All names in the project's directory.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn plan(&self, tool: &str, args: Value) -> Result<Box<dyn Plan>, BadArgs> {
        let Value::Object(args) = args else {
            panic!("arguments are an object")
        };
        self.registry.get(tool).unwrap().plan(args)
    }

    pub(crate) async fn run(&self, tool: &str, args: Value) -> Outcome {
        let plan = self.plan(tool, args).unwrap();
        plan.run(RunContext::default()).await
    }

    pub(crate) async fn text(&self, tool: &str, args: Value) -> String {
        self.run(tool, args).await.unwrap().text
    }

    pub(crate) async fn error(&self, tool: &str, args: Value) -> ToolError {
        self.run(tool, args).await.unwrap_err()
    }
}
