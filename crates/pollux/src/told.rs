//! What the model is told before the conversation.

use std::path::Path;

use jiff::Zoned;
use pollux_agent::{Detail, Instructions, Surroundings};
use pollux_store::Home;
use pollux_store::memory::{self, Memory, Places};
use pollux_tools::{Registry, Workspace};

/// What is written down for the model, and what is wrong with that.
pub(crate) fn read_memory(home: &Home, cwd: &Path) -> (Memory, Vec<String>) {
    memory::read(Places {
        home,
        cwd,
        is_secret: pollux_shell::is_secret,
    })
}

/// The same past everything that runs meanwhile.
pub(crate) async fn read_memory_aside(home: &Home, cwd: &Path) -> (Memory, Vec<String>) {
    let (home, cwd) = (home.clone(), cwd.to_owned());
    let read = tokio::task::spawn_blocking(move || read_memory(&home, &cwd));
    read.await
        .unwrap_or_else(|error| (Memory::default(), vec![format!("memory: {error}")]))
}

/// What every request begins with.
pub(crate) fn instructions(
    detail: Detail,
    cwd: &Path,
    workspace: &Workspace,
    memory: &Memory,
    tools: &Registry,
) -> Instructions {
    Instructions::new(detail, &place(cwd, workspace), memory, tools)
}

fn place(cwd: &Path, workspace: &Workspace) -> Surroundings {
    Surroundings {
        cwd: cwd.display().to_string(),
        more: workspace
            .others()
            .map(|dir| dir.display().to_string())
            .collect(),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        date: Zoned::now().strftime("%A, %Y-%m-%d").to_string(),
        git: cwd.ancestors().any(|dir| dir.join(".git").exists()),
    }
}
