//! What the model is told before the conversation.

use std::path::Path;

use jiff::Zoned;
use pollux_agent::{Detail, Instructions, Surroundings};
use pollux_store::memory::{self, Memory, Places};
use pollux_store::trust::Belongings;
use pollux_store::{Home, skills};
use pollux_tools::{Registry, Workspace};
use pollux_types::event::NoticeKind;
use pollux_types::{Event, Skill};
use tokio::task::spawn_blocking;

/// What was read for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// What is written down for it.
    pub(crate) memory: Memory,
    /// What there are instructions for.
    pub(crate) skills: Vec<Skill>,
}

/// What is written down for the model, and what is wrong with that.
pub(crate) fn read_memory(home: &Home, cwd: &Path) -> (Memory, Vec<String>) {
    memory::read(memory_places(home, cwd))
}

/// Where memory is, and what is none.
pub(crate) fn memory_places<'a>(home: &'a Home, cwd: &'a Path) -> Places<'a> {
    Places {
        home,
        cwd,
        forbids: no_memory,
    }
}

/// Why a file is nothing that memory may lead to.
fn no_memory(file: &Path, below: &Path) -> Option<&'static str> {
    let context = pollux_shell::Context::new(below, below);
    if pollux_shell::is_secret(file) {
        Some("it may hold secrets")
    } else {
        let is_protected = pollux_shell::is_protected(file, &context);
        is_protected.then_some("it decides what other programs run")
    }
}

/// The same past everything that runs meanwhile.
pub(crate) async fn read_memory_aside(home: &Home, cwd: &Path) -> (Memory, Vec<String>) {
    let (home, cwd) = (home.clone(), cwd.to_owned());
    let read = spawn_blocking(move || read_memory(&home, &cwd));
    read.await
        .unwrap_or_else(|error| (Memory::default(), vec![format!("memory: {error}")]))
}

/// All that is read at the start, past everything that runs meanwhile; and what to say about it.
pub(crate) async fn read_aside(
    home: &Home,
    cwd: &Path,
    project: Option<&Belongings>,
) -> (Told, Vec<Event>) {
    let (own_home, project) = (home.clone(), project.cloned());
    let skills = spawn_blocking(move || skills::read(&own_home, project.as_ref()));
    let (memory, skills) = tokio::join!(read_memory_aside(home, cwd), skills);
    let (memory, forgotten) = memory;
    let (skills, unusable) =
        skills.unwrap_or_else(|error| (Vec::new(), vec![format!("skills: {error}")]));
    let of = |kind| move |message| Event::Notice { kind, message };
    let forgotten = forgotten.into_iter().map(of(NoticeKind::Memory));
    let unusable = unusable.into_iter().map(of(NoticeKind::Skill));
    let notices = forgotten.chain(unusable).collect();
    (Told { memory, skills }, notices)
}

/// What every request begins with.
pub(crate) fn instructions(
    detail: Detail,
    cwd: &Path,
    workspace: &Workspace,
    told: &Told,
    tools: &Registry,
) -> Instructions {
    let Told { memory, skills } = told;
    Instructions::new(detail, &place(cwd, workspace), skills, memory, tools)
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
