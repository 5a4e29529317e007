//! All tools together: names, schemas, and what they cost.

use serde_json::{Value, json};

use crate::testing::Project;

/// Arguments that each tool accepts, the required ones first.
fn examples() -> [(&'static str, Value); 12] {
    [
        (
            "read_file",
            json!({"file_path": "a", "start_line": 1, "end_line": 2}),
        ),
        (
            "list_directory",
            json!({"dir_path": "a", "ignore": ["*.o"]}),
        ),
        (
            "glob",
            json!({"pattern": "*", "dir_path": ".", "case_sensitive": true}),
        ),
        (
            "grep_search",
            json!({"pattern": "x", "context": 1, "fixed_strings": true}),
        ),
        ("write_file", json!({"file_path": "a", "content": ""})),
        (
            "replace",
            json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
        ),
        (
            "run_shell_command",
            json!({"command": "ls", "timeout_ms": 1}),
        ),
        ("web_fetch", json!({"url": "https://a.test", "offset": 1})),
        (
            "question",
            json!({"questions": [{"question": "a", "options": [{"label": "b"}, {"label": "c"}]}]}),
        ),
        (
            "write_todos",
            json!({"todos": [{"description": "a", "status": "in_progress"}]}),
        ),
        ("read_todos", json!({})),
        ("save_memory", json!({"fact": "a", "scope": "user"})),
    ]
}

#[test]
fn each_schema_accepts_what_its_tool_accepts() {
    let project = Project::new();
    let specs = project.registry.specs();
    assert_eq!(specs.len(), examples().len());
    for (spec, (name, example)) in specs.iter().zip(examples()) {
        assert_eq!(spec.name, name);
        let schema = jsonschema::validator_for(&spec.parameters).unwrap();
        assert!(schema.is_valid(&example), "{name}");
        assert!(project.plan(name, example.clone()).is_ok(), "{name}");
        let required = spec.parameters["required"].as_array();
        for missing in required.into_iter().flatten() {
            let mut example = example.clone();
            example
                .as_object_mut()
                .unwrap()
                .shift_remove(missing.as_str().unwrap());
            assert!(!schema.is_valid(&example), "{name} without {missing}");
            assert!(
                project.plan(name, example).is_err(),
                "{name} without {missing}"
            );
        }
    }
}

#[test]
fn what_all_tools_cost() {
    let specs = serde_json::to_string(&Project::new().registry.specs()).unwrap();
    assert!(
        specs.len() < 5600,
        "{} bytes with every request",
        specs.len()
    );
}

#[test]
fn the_whole_of_what_a_model_is_told() {
    let specs = Project::new().registry.specs();
    let told: Vec<_> = specs
        .iter()
        .map(|spec| format!("{}: {}\n{}", spec.name, spec.description, spec.parameters))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    read_file: Reads a text file: its first 2000 lines, or the lines asked for.
    {"type":"object","properties":{"file_path":{"type":"string","description":"Absolute, or relative to the project."},"start_line":{"type":"integer","description":"First line, counted from 1."},"end_line":{"type":"integer","description":"Last line, inclusive."}},"required":["file_path"]}
    list_directory: Lists a directory, hidden and ignored entries included: directories first, files with their size.
    {"type":"object","properties":{"dir_path":{"type":"string","description":"Absolute, or relative to the project."},"ignore":{"type":"array","items":{"type":"string"},"description":"Globs of names to leave out."}},"required":["dir_path"]}
    glob: Finds files by name, newest first. Ignored files are left out.
    {"type":"object","properties":{"pattern":{"type":"string","description":"Such as `*.rs` or `src/**/*.{ts,tsx}`."},"dir_path":{"type":"string","description":"Where to look; the project if left out."},"case_sensitive":{"type":"boolean","description":"Default false."},"respect_git_ignore":{"type":"boolean","description":"Default true."}},"required":["pattern"]}
    grep_search: Searches the text of files. Ignored and binary files are left out.
    {"type":"object","properties":{"pattern":{"type":"string","description":"A regular expression, matched line by line."},"dir_path":{"type":"string","description":"Where to search: a directory or a file; the project if left out."},"include_pattern":{"type":"string","description":"Only files that match this glob."},"context":{"type":"integer","description":"Lines to show around each match."},"case_sensitive":{"type":"boolean","description":"Default: only if the pattern has a capital."},"fixed_strings":{"type":"boolean","description":"Take the pattern as plain text."},"max_matches":{"type":"integer","description":"Default 100."}},"required":["pattern"]}
    write_file: Creates or overwrites a file, and the directories it needs.
    {"type":"object","properties":{"file_path":{"type":"string","description":"Absolute, or relative to the project."},"content":{"type":"string","description":"All of its new content."}},"required":["file_path","content"]}
    replace: Replaces text in a file. old_string has to occur exactly once, so include enough lines around the change.
    {"type":"object","properties":{"file_path":{"type":"string","description":"Absolute, or relative to the project."},"old_string":{"type":"string","description":"The exact text to replace; empty to create a file."},"new_string":{"type":"string","description":"What comes in its place."},"allow_multiple":{"type":"boolean","description":"Replace every occurrence."}},"required":["file_path","old_string","new_string"]}
    run_shell_command: Runs a shell command without a terminal or input and returns its output. It and its background processes are ended after 120 s.
    {"type":"object","properties":{"command":{"type":"string","description":"For `bash -c`."},"description":{"type":"string","description":"What it is for, in a few words."},"dir_path":{"type":"string","description":"Where it runs; the project if left out."},"timeout_ms":{"type":"integer","description":"How long it may run instead."}},"required":["command"]}
    web_fetch: Fetches a web page or text file. HTML comes as text with its links.
    {"type":"object","properties":{"url":{"type":"string","description":"http or https."},"prompt":{"type":"string","description":"Instead of `url`: text with up to 20 of them."},"offset":{"type":"integer","description":"Where to read on."}}}
    question: Asks the user to decide something that only they can decide. Not for permission, and not for what you can find out.
    {"type":"object","properties":{"questions":{"type":"array","items":{"type":"object","properties":{"question":{"type":"string"},"options":{"description":"At least two, the one you recommend first.","type":"array","items":{"type":"object","properties":{"label":{"type":"string"},"description":{"description":"What choosing it means.","type":"string"}},"required":["label"]}}},"required":["question","options"]},"description":"Put to the user one after the other."}},"required":["questions"]}
    write_todos: Sets the todo list, in place of the one before. For work of several steps: at most one is in_progress, and each is marked completed as soon as it is.
    {"type":"object","properties":{"todos":{"type":"array","items":{"type":"object","properties":{"description":{"type":"string"},"status":{"type":"string","enum":["pending","in_progress","completed","cancelled"]}},"required":["description"]},"description":"All of them, in order."}},"required":["todos"]}
    read_todos: Tells the todo list.
    {"type":"object","properties":{}}
    save_memory: Remembers a fact in all sessions to come: what the user asks you to remember, or says holds from now on. Nothing else.
    {"type":"object","properties":{"fact":{"type":"string","description":"A sentence that needs no other."},"scope":{"type":"string","enum":["project","user"],"description":"Where it holds: in this project (the default), or wherever the user works."}},"required":["fact"]}
    "#);
}

#[test]
fn names_and_aliases() {
    let project = Project::new();
    let name = |name| {
        project
            .registry
            .get(name)
            .map(|tool| tool.spec().name.clone())
    };
    assert_eq!(name("read_file").as_deref(), Some("read_file"));
    assert_eq!(name("cat").as_deref(), Some("read_file"));
    assert_eq!(name("Bash").as_deref(), Some("run_shell_command"));
    assert_eq!(name("GREP_SEARCH").as_deref(), Some("grep_search"));
    assert_eq!(name("reed_file"), None);
}

#[test]
fn no_name_means_two_tools() {
    let project = Project::new();
    let tools = project.registry.tools.iter();
    let mut names: Vec<String> = tools
        .flat_map(|tool| {
            let aliases = tool.aliases().iter().map(ToString::to_string);
            aliases.chain([tool.spec().name.clone()])
        })
        .collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn did_you_mean() {
    let project = Project::new();
    assert_eq!(project.registry.nearest("reed_file"), Some("read_file"));
    assert_eq!(project.registry.nearest("ReadFile"), Some("read_file"));
    assert_eq!(project.registry.nearest("greps"), Some("grep_search"));
    assert_eq!(project.registry.nearest("launch_rocket"), None);
}
