//! What the model is told before the conversation: standing instructions and tools.
//!
//! It stays the same for a whole session, so that providers can cache it.

use std::fmt::Write as _;

use pollux_store::memory::Memory;
use pollux_tools::Registry;
use pollux_types::{Before, Skill, ToolSpec, tokens};
use serde_json::Value;

/// What the model is told about where it is.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The working directory.
    pub cwd: String,
    /// Further directories that belong to the project.
    pub more: Vec<String>,
    /// Operating system and architecture.
    pub platform: String,
    /// The day on which the session began.
    pub date: String,
    /// Whether the project is under git.
    pub git: bool,
}

/// How much the model is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What helps a capable model to work well.
    Full,
    /// What a small model can take in, and a slow machine can read in bearable time.
    Lean,
}

impl Detail {
    /// Models of so many billion parameters, and smaller ones, get less to read.
    const SMALL: f64 = 8.0;

    /// What suits a model of this name: many small ones tell their size in it.
    pub fn for_model(name: &str) -> Self {
        let name = name.to_lowercase();
        let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        // Of a mixture of experts (`30b-a3b`) the whole counts, which comes first.
        let mut sizes = words.filter_map(|word| word.strip_suffix('b')?.parse::<f64>().ok());
        match sizes.next() {
            Some(size) if size <= Self::SMALL => Self::Lean,
            _ => Self::Full,
        }
    }
}

/// Everything in front of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Instructions {
    /// Standing instructions.
    pub system: String,
    /// The part of them that is memory.
    pub memory: String,
    /// The tools, as the model is told about them.
    pub tools: Vec<ToolSpec>,
}

const ON_SKILLS: &str = "
# Skills
Instructions that the user has put there. Before work that one of these is for, call `activate_skill` and do as it says.
";

const ON_MEMORY: &str = "
# Memory
Written down by the user, and by those who work on this project. Follow it, the later parts before the earlier ones, unless the user says otherwise.
";

impl Instructions {
    /// The instructions of a session.
    pub fn new(
        detail: Detail,
        surroundings: &Surroundings,
        skills: &[Skill],
        memory: &Memory,
        registry: &Registry,
    ) -> Self {
        let tools = registry.specs();
        let (how, tools) = match detail {
            Detail::Full => (include_str!("prompt/system.md"), tools),
            Detail::Lean => {
                let tools = tools.into_iter().map(lean).collect();
                (include_str!("prompt/lean.md"), tools)
            }
        };
        let memory = memory.to_string();
        let mut system = how.to_owned() + &place(surroundings) + &listed(skills);
        // What changes first comes last: what is in front of it stays in the provider's cache.
        if !memory.is_empty() {
            system.extend([ON_MEMORY, &memory]);
        }
        Self {
            system,
            memory,
            tools,
        }
    }

    /// What all of it takes, by guess.
    pub fn size(&self) -> Before {
        self.size_with(&self.tools)
    }

    /// The same where these tools are offered.
    pub fn size_with(&self, tools: &[ToolSpec]) -> Before {
        let memory = tokens::estimate(&self.memory);
        Before {
            instructions: tokens::estimate(&self.system).saturating_sub(memory),
            memory,
            tools: tools.iter().map(ToolSpec::tokens).sum(),
        }
    }
}

fn place(surroundings: &Surroundings) -> String {
    let Surroundings {
        cwd,
        more,
        platform,
        date,
        git,
    } = surroundings;
    let git = if *git {
        "a git repository"
    } else {
        "not a git repository"
    };
    let mut place = format!("\n# Here\n- Directory: {cwd} ({git})\n");
    if !more.is_empty() {
        writeln!(place, "- Also part of the project: {}", more.join(", "))
            .expect("a String takes any text");
    }
    place + &format!("- System: {platform}\n- Date: {date}\n")
}

fn listed(skills: &[Skill]) -> String {
    if skills.is_empty() {
        return String::new();
    }
    let lines = skills.iter();
    let lines = lines.map(|skill| format!("- {}: {}\n", skill.name, skill.description));
    ON_SKILLS.to_owned() + &lines.collect::<String>()
}

/// The first sentence and the names that matter. What is left out still works; it is only not told.
fn lean(mut spec: ToolSpec) -> ToolSpec {
    if let Some((first, _)) = spec.description.split_once(". ") {
        spec.description = format!("{first}.");
    }
    let required = spec.parameters["required"].clone();
    if let Some(Value::Object(properties)) = spec.parameters.get_mut("properties") {
        let is_required = |name: &str| {
            let names = required.as_array().into_iter().flatten();
            names.into_iter().any(|required| required == name)
        };
        properties.retain(|name, property| is_required(name) || property["type"] != "boolean");
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.remove("description");
        }
    }
    spec
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pollux_store::memory::MemoryFile;
    use pollux_tools::{Notes, Reach, Sandbox, ShellLimits, Workspace};

    use super::*;

    fn instructions(detail: Detail) -> Instructions {
        remembering(detail, &Memory::default())
    }

    fn remembering(detail: Detail, memory: &Memory) -> Instructions {
        let surroundings = Surroundings {
            cwd: "/p".into(),
            more: vec!["/q".into()],
            platform: "linux x86_64".into(),
            date: "2026-01-31".into(),
            git: true,
        };
        let dir = tempfile::tempdir().unwrap();
        let workspace = Arc::new(Workspace::new(dir.path(), &[]).unwrap());
        let reach = Reach::new(pollux_model::http_client);
        let limits = ShellLimits::default();
        let notes = Notes {
            project: "/p/POLLUX.md".into(),
            user: "/home/POLLUX.md".into(),
            keep: |_, _, _| Ok(()),
        };
        let shared = Arc::clone(&workspace);
        let registry = Registry::builtin(shared, limits, Sandbox::off(), reach);
        let registry = registry.remembering(workspace, notes);
        Instructions::new(detail, &surroundings, &[], memory, &registry)
    }

    #[test]
    fn the_prompt_ends_with_the_place() {
        let system = instructions(Detail::Full).system;
        let place = system.split_once("# Here").unwrap().1;
        insta::assert_snapshot!(place, @"

        - Directory: /p (a git repository)
        - Also part of the project: /q
        - System: linux x86_64
        - Date: 2026-01-31
        ");
    }

    #[test]
    fn memory_comes_last_and_is_counted_apart() {
        let memory = Memory {
            files: vec![MemoryFile {
                path: "/p/AGENTS.md".into(),
                text: "Use tabs.".into(),
            }],
        };
        for detail in [Detail::Full, Detail::Lean] {
            let (without, with) = (instructions(detail), remembering(detail, &memory));
            let told = with.system.strip_prefix(&without.system).unwrap();
            assert_eq!(told, format!("{ON_MEMORY}{}", with.memory));
            let (without, with) = (without.size(), with.size());
            assert_eq!(without.memory, 0);
            assert!(with.memory >= tokens::estimate("Use tabs."));
            let heading = with.instructions - without.instructions;
            assert!(heading <= 40, "{heading}");
        }
        let told = remembering(Detail::Lean, &memory).memory;
        insta::assert_snapshot!(told, @"
        --- From /p/AGENTS.md ---
        Use tabs.
        --- End of /p/AGENTS.md ---
        ");
    }

    #[test]
    fn skills_are_told_by_name_and_purpose() {
        let skills = ["one", "two"].map(|name| Skill {
            name: name.to_owned(),
            description: format!("For {name}."),
            instructions: "Not yet.".to_owned(),
            folder: "/s".into(),
        });
        insta::assert_snapshot!(listed(&skills), @"

        # Skills
        Instructions that the user has put there. Before work that one of these is for, call `activate_skill` and do as it says.
        - one: For one.
        - two: For two.
        ");
    }

    #[test]
    fn both_are_short() {
        let cost = |detail| instructions(detail).size().total();
        let (full, lean) = (cost(Detail::Full), cost(Detail::Lean));
        assert!(full <= 3000, "full: {full}");
        assert!(
            lean <= 1200 && lean * 3 < full * 2,
            "lean: {lean}, full: {full}"
        );
    }

    #[test]
    fn lean_tools_are_told_in_a_few_words() {
        let tools = instructions(Detail::Lean).tools;
        let grep = tools
            .iter()
            .find(|tool| tool.name == "grep_search")
            .unwrap();
        assert_eq!(grep.description, "Searches the text of files.");
        insta::assert_snapshot!(grep.parameters.to_string(), @r#"{"type":"object","properties":{"pattern":{"type":"string"},"dir_path":{"type":"string"},"include_pattern":{"type":"string"},"context":{"type":"integer"},"max_matches":{"type":"integer"}},"required":["pattern"]}"#);
    }

    #[test]
    fn small_models_get_less_to_read() {
        for name in [
            "qwen2.5-coder-1.5b-instruct",
            "llama3.2:3b",
            "org/Gemma-3-4B-it",
            "qwen3:8b",
        ] {
            assert_eq!(Detail::for_model(name), Detail::Lean, "{name}");
        }
        for name in [
            "qwen3-coder-30b-a3b",
            "gpt-5",
            "llama-3.3-70b",
            "gpt-oss:20b",
            "o3",
            "club",
        ] {
            assert_eq!(Detail::for_model(name), Detail::Full, "{name}");
        }
    }
}
