//! The tools of a session, by name.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use pollux_exec::sandbox::Sandbox;
use pollux_types::{Skill, ToolSpec};

use crate::{McpServers, Notes, Reach, Tool, Workspace};
use crate::{
    fetch, glob, grep, list, mentioned, question, read, remember, replace, shell, skill, todos,
    write,
};
use pollux_types::nearest;

/// All tools that a model is offered. Their order never changes, so that what is sent to a
/// model stays the same from request to request and can be cached.
#[derive(Clone)]
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
}

/// All tools that there are, for their names alone.
static EVERY: LazyLock<Vec<Registry>> = LazyLock::new(|| {
    let Ok(workspace) = Workspace::new(Path::new("/"), &[]).map(Arc::new) else {
        return Vec::new();
    };
    let limits = shell::ShellLimits::default();
    let servers = McpServers::default();
    let typed = Registry::typed(&workspace, &limits, &Sandbox::off(), servers);
    let reach = Reach::new(reqwest::ClientBuilder::new);
    let shared = Arc::clone(&workspace);
    let builtin = Registry::builtin(shared, limits, Sandbox::off(), reach);
    let builtin = builtin.remembering(workspace, Notes::nowhere());
    let skill: Arc<dyn Tool> = Arc::new(skill::ActivateSkill::new(Vec::new()));
    vec![builtin, Registry::new(vec![skill]), typed]
});

impl Registry {
    /// These tools, in this order.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Self {
        Self { tools }
    }

    /// The tools that every session has.
    pub fn builtin(
        workspace: Arc<Workspace>,
        limits: shell::ShellLimits,
        sandbox: Sandbox,
        reach: Reach,
    ) -> Self {
        let shared = || Arc::clone(&workspace);
        Self::new(vec![
            Arc::new(read::ReadFile::new(shared())),
            Arc::new(list::ListDirectory::new(shared())),
            Arc::new(glob::GlobFiles::new(shared())),
            Arc::new(grep::GrepSearch::new(shared())),
            Arc::new(write::WriteFile::new(shared())),
            Arc::new(replace::Replace::new(shared())),
            Arc::new(shell::RunShellCommand::new(workspace, limits, sandbox)),
            Arc::new(fetch::WebFetch::new(reach)),
            Arc::new(question::AskUser::new()),
            Arc::new(todos::WriteTodos::new()),
            Arc::new(todos::ReadTodos::new()),
        ])
    }

    /// The same, and facts can be remembered.
    #[must_use]
    pub fn remembering(mut self, workspace: Arc<Workspace>, notes: Notes) -> Self {
        let tool = remember::SaveMemory::new(workspace, notes);
        self.tools.push(Arc::new(tool));
        self
    }

    /// The same, and instructions can be asked for, if there are any.
    #[must_use]
    pub fn skilled(mut self, skills: Vec<Skill>) -> Self {
        if !skills.is_empty() {
            self.tools.push(Arc::new(skill::ActivateSkill::new(skills)));
        }
        self
    }

    /// What the person does from the prompt, past any model.
    pub fn typed(
        workspace: &Arc<Workspace>,
        limits: &shell::ShellLimits,
        sandbox: &Sandbox,
        servers: McpServers,
    ) -> Self {
        let shell = || {
            let (workspace, sandbox) = (Arc::clone(workspace), sandbox.clone());
            shell::RunShellCommand::typed(workspace, limits.clone(), sandbox)
        };
        let mentioned = mentioned::ReadMentioned::new(Arc::clone(workspace), shell(), servers);
        Self::new(vec![Arc::new(shell()), Arc::new(mentioned)])
    }

    /// What a model is told, in order.
    pub fn specs(&self) -> Vec<ToolSpec> {
        let spec = |tool: &Arc<dyn Tool>| ToolSpec {
            aliases: tool
                .aliases()
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            ..tool.spec().clone()
        };
        self.tools.iter().map(spec).collect()
    }

    /// The tool that a model means by `name`: its own name or another it goes by, first as
    /// written, then in any case.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let named = |same: fn(&str, &str) -> bool| {
            let own = self.tools.iter().find(|tool| same(&tool.spec().name, name));
            let other = |tool: &&Arc<dyn Tool>| tool.aliases().iter().any(|a| same(a, name));
            own.or_else(|| self.tools.iter().find(other))
        };
        named(|a, b| a == b).or_else(|| named(str::eq_ignore_ascii_case))
    }

    /// The name of the tool that is meant by `name`, whatever session it is for.
    pub fn canonical(name: &str) -> Option<String> {
        let tool = EVERY.iter().find_map(|registry| registry.get(name))?;
        Some(tool.spec().name.clone())
    }

    /// The name of a tool that is most like `name`, whatever session it is for.
    pub fn near(name: &str) -> Option<&'static str> {
        EVERY.iter().find_map(|registry| registry.nearest(name))
    }

    /// The tool whose name is most like `name`, if any is like it.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let names = self.tools.iter().flat_map(|tool| {
            let aliases = tool.aliases().iter().copied();
            aliases.chain([tool.spec().name.as_str()])
        });
        let found = self.get(nearest(name, names)?)?;
        Some(found.spec().name.as_str())
    }
}

#[cfg(test)]
mod tests;
