//! `activate_skill`: the model gets the instructions that it was told the name of.

use std::fmt::Write as _;

use futures_util::future::BoxFuture;
use pollux_types::{Skill, ToolSpec, nearest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::blocking::blocking;
use crate::walk::walk;
use crate::{BadArgs, Effects, Located, Outcome, Output, Plan, RunContext, Tool, schema};

/// Files of a skill that are named.
const NAMED: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// One of the skills above.
    #[serde(alias = "skill", alias = "skill_name", alias = "command")]
    name: String,
}

/// The tool.
pub(crate) struct ActivateSkill {
    spec: ToolSpec,
    skills: Vec<Skill>,
}

impl ActivateSkill {
    pub(crate) fn new(skills: Vec<Skill>) -> Self {
        let description = "Gives you the instructions of a skill, and the names of its files.";
        let spec = schema::spec::<Args>("activate_skill", description);
        Self { spec, skills }
    }

    fn unknown(&self, name: &str) -> BadArgs {
        let names = || self.skills.iter().map(|skill| skill.name.as_str());
        let meant = match nearest(name, names()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        BadArgs(format!("`name`: there is no skill `{name}`; {meant}"))
    }
}

impl Tool for ActivateSkill {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["skill"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let Args { name } = schema::parse(&self.spec, args)?;
        let known = self.skills.iter().find(|skill| skill.name == name);
        let skill = known.ok_or_else(|| self.unknown(&name))?;
        Ok(Box::new(Activating {
            folder: Located::of(skill.folder.clone()),
            skill: skill.clone(),
        }))
    }
}

/// A skill on its way to the model.
struct Activating {
    skill: Skill,
    folder: Located,
}

impl Plan for Activating {
    fn effects(&self) -> Effects {
        Effects {
            reads: vec![self.folder.clone()],
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        self.skill.name.clone()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        blocking(context, move |_| {
            let Skill {
                name, instructions, ..
            } = &self.skill;
            let mut text = format!("Skill `{name}`. Do as it says:\n\n{instructions}\n");
            text += &self.files();
            Ok(Output::text(text))
        })
    }
}

impl Activating {
    /// The names of its files, for whoever is to read or run them.
    fn files(&self) -> String {
        let folder = &self.folder.real;
        let walk = walk(folder, true)
            .sort_by_file_name(std::ffi::OsStr::cmp)
            .build();
        let files = walk.flatten().filter(|entry| entry.path().is_file());
        let names = files.filter_map(|entry| {
            let name = entry.path().strip_prefix(folder).ok()?.to_str()?.to_owned();
            (name != "SKILL.md").then_some(name)
        });
        let mut names: Vec<String> = names.take(NAMED + 1).collect();
        if names.is_empty() {
            return String::new();
        }
        if names.len() > NAMED {
            names.truncate(NAMED);
            names.push("[and more]".to_owned());
        }
        let mut text = format!("\nIts files, in {}:\n", folder.display());
        for name in names {
            writeln!(text, "{name}").expect("a String takes any text");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;
    use crate::testing::Project;

    fn tool(folder: PathBuf) -> ActivateSkill {
        ActivateSkill::new(vec![Skill {
            name: "make-pdf".into(),
            description: "Makes PDFs.".into(),
            instructions: "Run make.py.".into(),
            folder,
        }])
    }

    fn plan(tool: &ActivateSkill, name: &str) -> Result<Box<dyn Plan>, BadArgs> {
        let Value::Object(args) = json!({"name": name}) else {
            unreachable!()
        };
        tool.plan(args)
    }

    #[tokio::test]
    async fn instructions_come_with_the_names_of_files() {
        let project = Project::with(&[("s/SKILL.md", ""), ("s/make.py", ""), ("s/a/b.md", "")]);
        let tool = tool(project.path("s"));
        let plan = plan(&tool, "make-pdf").unwrap();
        assert_eq!(plan.effects().reads, [Located::of(project.path("s"))]);
        let text = plan.run(RunContext::default()).await.unwrap().text;
        let folder = project.path("s").display().to_string();
        insta::assert_snapshot!(text.replace(&folder, "FOLDER"), @"
        Skill `make-pdf`. Do as it says:

        Run make.py.

        Its files, in FOLDER:
        a/b.md
        make.py
        ");
    }

    #[tokio::test]
    async fn names_are_bounded() {
        let project = Project::new();
        for n in 0..=NAMED {
            project.file(&format!("s/{n}"), "");
        }
        let plan = plan(&tool(project.path("s")), "make-pdf").unwrap();
        let text = plan.run(RunContext::default()).await.unwrap().text;
        assert!(text.ends_with("\n[and more]\n"), "{text}");
    }

    #[test]
    fn what_is_unknown_names_what_may_be_meant() {
        let tool = tool(PathBuf::new());
        let told = |name| plan(&tool, name).err().unwrap().to_string();
        assert_eq!(
            told("makepdf"),
            "`name`: there is no skill `makepdf`; did you mean `make-pdf`?"
        );
        assert_eq!(
            told("x"),
            "`name`: there is no skill `x`; there are make-pdf"
        );
    }
}
