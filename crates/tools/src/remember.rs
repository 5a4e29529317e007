//! `save_memory`: a fact goes into a memory file, where every session to come finds it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_types::{ToolError, ToolErrorKind, ToolSpec, fingerprint, with_fact};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::blocking::blocking;
use crate::diff::change;
use crate::edit::{self, Edit};
use crate::existing::existing;
use crate::{
    BadArgs, Effects, Located, Outcome, Output, Plan, Preview, RunContext, Tool, Workspace, schema,
};

/// Where facts are kept.
#[derive(Clone, Debug)]
pub struct Notes {
    /// The project's file.
    pub project: PathBuf,
    /// The user's file, in pollux's home.
    pub user: PathBuf,
    /// How the user's file is written: whoever owns that home does it.
    pub keep: Keep,
}

/// Gives a file new content, if its old one is still there.
pub type Keep = fn(file: &Path, old: Option<&[u8]>, new: &[u8]) -> io::Result<()>;

impl Notes {
    /// For a tool that is only asked for its name.
    pub(crate) fn nowhere() -> Self {
        Self {
            project: PathBuf::new(),
            user: PathBuf::new(),
            keep: |_, _, _| Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// A sentence that needs no other.
    #[serde(alias = "memory", alias = "content", alias = "text")]
    fact: String,
    /// Where it holds: in this project (the default), or wherever the user works.
    #[serde(default)]
    scope: Scope,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Scope {
    #[default]
    #[serde(alias = "workspace", alias = "local")]
    Project,
    #[serde(alias = "global")]
    User,
}

/// The tool.
pub(crate) struct SaveMemory {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
    notes: Notes,
}

impl SaveMemory {
    pub(crate) fn new(workspace: Arc<Workspace>, notes: Notes) -> Self {
        let description = "Remembers a fact in all sessions to come: what the user asks you to \
                           remember, or says holds from now on. Nothing else.";
        let spec = schema::spec::<Args>("save_memory", description);
        Self {
            spec,
            workspace,
            notes,
        }
    }
}

impl Tool for SaveMemory {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["memory", "remember"]
    }

    fn edits(&self) -> bool {
        true
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let Args { fact, scope } = schema::parse(&self.spec, args)?;
        if let Err(wrong) = with_fact("", &fact) {
            return Err(schema::refusal(&self.spec, &format!("`fact`: {wrong}")));
        }
        let (file, keep) = match scope {
            Scope::Project => (&self.notes.project, None),
            Scope::User => (&self.notes.user, Some(self.notes.keep)),
        };
        let target = Located::of(file.clone());
        Ok(Box::new(Remembering {
            shown: self.workspace.shown_target(&target),
            target,
            fact,
            keep,
            revised: None,
        }))
    }
}

/// A fact on its way into a file.
#[derive(Clone)]
struct Remembering {
    target: Located,
    shown: String,
    fact: String,
    /// How it is written, where not like any other file.
    keep: Option<Keep>,
    /// What the person wants the file to hold instead.
    revised: Option<String>,
}

impl Plan for Remembering {
    fn effects(&self) -> Effects {
        Effects::editing(&self.target)
    }

    fn summary(&self) -> String {
        self.fact.clone()
    }

    fn preview(&self) -> BoxFuture<'static, Result<Preview, ToolError>> {
        let (plan, approval) = (self.clone(), self.approval());
        let worked_out = edit::preview(move || plan.work_out());
        Box::pin(async {
            let preview = worked_out.await?;
            let fingerprint = approval.unwrap_or_else(|| preview.fingerprint.clone());
            Ok(Preview {
                fingerprint,
                ..preview
            })
        })
    }

    fn revised(&self, content: String) -> Option<Box<dyn Plan>> {
        Some(Box::new(Self {
            revised: Some(content),
            ..self.clone()
        }))
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        let mut approved = context.approved.clone();
        if approved == self.approval() {
            approved = None;
        }
        blocking(context, move |_| {
            let edit = self.work_out()?;
            let made = match self.keep {
                Some(keep) => edit.make_by(approved.as_deref(), |edit| {
                    keep(&edit.target.real, edit.old.as_deref(), &edit.new)
                }),
                None => edit.make(approved.as_deref()),
            };
            made.map(|output| Output {
                remembered: true,
                ..output
            })
        })
    }
}

impl Remembering {
    /// What a person approves: this fact in this file, whatever else is added to it meanwhile, as by
    /// another call of the same reply. Whoever has written the file anew approves that alone.
    fn approval(&self) -> Option<String> {
        let path = self.target.real.as_os_str().as_encoded_bytes();
        let is_as_proposed = self.revised.is_none();
        is_as_proposed.then(|| fingerprint(&[b"fact", path, self.fact.as_bytes()]))
    }

    fn work_out(&self) -> Result<Edit, ToolError> {
        let shown = &self.shown;
        let failed = |message: String| ToolError::new(ToolErrorKind::ExecutionFailed, message);
        let found = existing(&self.target, shown)?;
        let old = match &found {
            Some(found) => {
                let bytes = found.bytes.as_deref().unwrap_or(b"\xff");
                let text = std::str::from_utf8(bytes);
                Some(text.map_err(|_| failed(format!("`{shown}` is no text, or too long")))?)
            }
            None => None,
        };
        let new = match &self.revised {
            Some(revised) => revised.clone(),
            None => with_fact(old.unwrap_or_default(), &self.fact).map_err(failed)?,
        };
        let said = match old {
            Some(old) if old == new => format!("`{shown}` says so already"),
            _ => format!("remembered in `{shown}`"),
        };
        Ok(Edit {
            target: self.target.clone(),
            shown: shown.clone(),
            change: change(shown, old.map(str::as_bytes), new.as_bytes()),
            old: old.map(|old| old.as_bytes().to_vec()),
            found: found.map(|found| found.metadata),
            new: new.into_bytes(),
            said,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::Project;

    #[tokio::test]
    async fn a_fact_is_kept_where_it_holds() {
        let project = Project::with(&[("POLLUX.md", "# App\n")]);
        let text = |args| project.text("save_memory", args);
        assert_eq!(
            text(json!({"fact": "Use tabs."})).await,
            "remembered in `POLLUX.md`"
        );
        assert_eq!(
            text(json!({"fact": "Use tabs."})).await,
            "`POLLUX.md` says so already"
        );
        let user = text(json!({"fact": "Be kind.", "scope": "global"}));
        assert_eq!(user.await, "remembered in `home/POLLUX.md`");
        assert_eq!(
            project.bytes("POLLUX.md"),
            b"# App\n\n## Remembered\n\n- Use tabs.\n"
        );
        assert_eq!(
            project.bytes("home/POLLUX.md"),
            b"## Remembered\n\n- Be kind.\n"
        );
    }

    #[tokio::test]
    async fn what_is_shown_is_what_is_written() {
        let project = Project::new();
        let plan = project
            .plan("save_memory", json!({"fact": "Use tabs."}))
            .unwrap();
        assert_eq!(plan.effects().writes, plan.effects().reads);
        let content = plan.preview().await.unwrap().content.unwrap();
        assert_eq!(content, "## Remembered\n\n- Use tabs.\n");
        let plan = plan.revised("Use spaces.\n".to_owned()).unwrap();
        let output = plan.run(crate::RunContext::default()).await.unwrap();
        assert!(output.remembered);
        assert_eq!(project.bytes("POLLUX.md"), b"Use spaces.\n");
    }

    #[tokio::test]
    async fn two_facts_of_one_reply_are_both_kept() {
        let project = Project::new();
        let plan = |fact: &str| project.plan("save_memory", json!({"fact": fact})).unwrap();
        let plans = [plan("Use tabs."), plan("Test first.")];
        let mut approved = Vec::new();
        for plan in plans {
            let fingerprint = plan.preview().await.unwrap().fingerprint;
            approved.push((plan, fingerprint));
        }
        let rewritten = plan("x").revised("Use spaces.\n".to_owned()).unwrap();
        let seen = rewritten.preview().await.unwrap().fingerprint;
        let with = |approved: &str| crate::RunContext {
            approved: Some(approved.to_owned()),
            ..crate::RunContext::default()
        };
        let other = approved[0].1.clone();
        assert!(plan("Another.").run(with(&other)).await.is_err());
        for (plan, fingerprint) in approved {
            plan.run(with(&fingerprint)).await.unwrap();
        }
        // Whoever has written all of it anew has not seen these.
        assert!(rewritten.run(with(&seen)).await.is_err());
        assert_eq!(
            project.bytes("POLLUX.md"),
            b"## Remembered\n\n- Use tabs.\n- Test first.\n"
        );
    }

    #[tokio::test]
    async fn what_cannot_be_kept_is_refused() {
        let project = Project::new();
        project.file("POLLUX.md", b"\xff\xfe");
        let refused = project.plan("save_memory", json!({"fact": " "})).err();
        let told = refused.unwrap().to_string();
        assert!(
            told.starts_with("`fact`: there is nothing to remember; "),
            "{told}"
        );
        let error = project.error("save_memory", json!({"fact": "a"})).await;
        assert_eq!(error.message, "`POLLUX.md` is no text, or too long");
        assert_eq!(project.bytes("POLLUX.md"), b"\xff\xfe");
    }
}
