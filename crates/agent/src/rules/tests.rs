//! What rules say, and what is kept of answers.

use pollux_shell::Context;
use pollux_tools::Script;

use super::*;
use crate::script;

struct Bench {
    dir: tempfile::TempDir,
    workspace: Workspace,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::new(dir.path(), &[]).unwrap();
        Self { dir, workspace }
    }

    fn load(&self, user: &str) -> (Rules, Vec<String>) {
        let file = self.dir.path().join("rules.toml");
        std::fs::write(&file, user).unwrap();
        let (rules, problems) = Rules::load(&file, &self.project());
        let shown = |problem: String| problem.replace(&file.display().to_string(), "F");
        (rules, problems.into_iter().map(shown).collect())
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("projects/p/rules.toml")
    }

    fn says(&self, rules: &Rules, effects: &Effects) -> Ruling {
        let context = Context::new(self.workspace.root(), "/home/dev");
        let script = effects.script.as_ref();
        let reading = script.map(|script| script::read(script, &context));
        rules.about(&Doing {
            tool: match effects {
                Effects {
                    script: Some(_), ..
                } => "run_shell_command",
                Effects { foreign: true, .. } => "mcp__a__b",
                Effects { reaches, .. } if !reaches.is_empty() => "web_fetch",
                _ => "write_file",
            },
            effects,
            workspace: &self.workspace,
            reading: reading.as_ref(),
        })
    }

    fn runs(&self, command: &str) -> Effects {
        Effects {
            script: Some(Script {
                command: command.into(),
                dir: self.workspace.root().to_owned(),
            }),
            ..Effects::default()
        }
    }

    fn writes(&self, path: &str) -> Effects {
        let path = self.workspace.locate(path);
        Effects {
            reads: vec![path.clone()],
            writes: vec![path],
            ..Effects::default()
        }
    }
}

fn fetches(urls: &[&str]) -> Effects {
    let address = |url: &&str| Address::parse(url).unwrap();
    Effects {
        reaches: urls.iter().map(address).collect(),
        ..Effects::default()
    }
}

#[test]
fn every_host_must_be_allowed_and_one_is_enough_to_deny() {
    let bench = Bench::new();
    let (rules, problems) = bench.load(
        r#"
        [[rule]]
        decision = "allow"
        host = "*.example.org"
        match = ["https://docs.example.org/a?b"]
        not_match = ["https://example.org/", "https://example.org.evil.test/"]
        [[rule]]
        decision = "allow"
        host = "Crates.IO"
        [[rule]]
        decision = "ask"
        host = "old.example.org"
        [[rule]]
        decision = "deny"
        host = "bad.example.org"
        reason = "not there"
        [[rule]]
        decision = "allow"
        path = "**"
        "#,
    );
    assert_eq!(problems, Vec::<String>::new());
    let says = |urls: &[&str]| bench.says(&rules, &fetches(urls));
    assert_eq!(says(&["https://a.example.org/"]), Ruling::Allow);
    assert_eq!(
        says(&["https://a.example.org/", "http://crates.io:8080/x"]),
        Ruling::Allow
    );
    assert_eq!(
        says(&["https://a.example.org/", "https://example.org/"]),
        Ruling::None
    );
    assert_eq!(
        says(&["https://old.example.org/"]),
        Ruling::Ask("a rule asks for it".into())
    );
    assert_eq!(
        says(&["https://crates.io/", "https://BAD.example.org./"]),
        Ruling::Deny("not there".into())
    );
    // A rule about hosts says nothing to anything else.
    assert_eq!(
        bench.says(&rules, &bench.runs("curl crates.io")),
        Ruling::None
    );
}

#[test]
fn a_rule_about_another_tool_says_nothing() {
    let bench = Bench::new();
    let (rules, _) = bench.load(
        "[[rule]]\ndecision = 'allow'\ntool = 'other'\nhost = 'crates.io'\n\
         [[rule]]\ndecision = 'deny'\ntool = 'other'\nhost = 'crates.io'\n",
    );
    assert_eq!(
        bench.says(&rules, &fetches(&["https://crates.io/"])),
        Ruling::None
    );
}

#[test]
fn bad_hosts_are_told_with_line_and_key() {
    let bench = Bench::new();
    let allow = "[[rule]]\ndecision = 'allow'\n";
    let (rules, problems) = bench.load(&format!(
        "{allow}host = 'https://crates.io'\n\
         {allow}host = 'crates.io'\npath = 'src/**'\n\
         {allow}host = 'crates.io'\nmatch = ['https://crates.io.evil.test/']\n\
         {allow}host = '*.crates.io'\nnot_match = ['http://a.crates.io']\n\
         {allow}host = 'crates.io'\nmatch = ['crates.io']\n"
    ));
    assert!(rules.broken.is_some());
    insta::assert_snapshot!(problems.join("\n"), @"
    F:1: `host`: `https://crates.io` is no host; write `example.org`, or `*.example.org`
    F:4: `host`: a rule about hosts has no `path`; write two rules
    F:8: the rule does not fit its own example `https://crates.io.evil.test/`
    F:12: the rule fits `http://a.crates.io`, which it must not
    F:16: `crates.io` lacks its beginning; did you mean `https://crates.io`?
    ");
}

#[test]
fn deny_wins_over_ask_and_ask_over_allow() {
    let bench = Bench::new();
    let (rules, problems) = bench.load(
        r#"
        [[rule]]
        decision = "allow"
        command = ["git"]
        match = ["git log -1"]
        not_match = ["gitk"]
        [[rule]]
        decision = "ask"
        command = ["git", "push"]
        [[rule]]
        decision = "deny"
        command = ["git", "push", "--force"]
        reason = "never here"
        "#,
    );
    assert_eq!(problems, Vec::<String>::new());
    let says = |command: &str| bench.says(&rules, &bench.runs(command));
    assert_eq!(says("git add a"), Ruling::Allow);
    assert_eq!(says("git push"), Ruling::Ask("a rule asks for it".into()));
    assert_eq!(says("git push --force"), Ruling::Deny("never here".into()));
    assert_eq!(says("make"), Ruling::None);
    // Each part counts.
    assert_eq!(says("git add a && git status"), Ruling::Allow);
    assert_eq!(says("git log && make"), Ruling::None);
    assert_eq!(
        says("make && git push --force"),
        Ruling::Deny("never here".into())
    );
    assert_eq!(says("gitk"), Ruling::None);
    // A file that is opened for it is not its argument.
    assert_eq!(says("git log > a"), Ruling::None);
}

#[test]
fn paths_are_globs() {
    let bench = Bench::new();
    let (rules, _) = bench.load(
        "[[rule]]\ndecision = 'allow'\npath = 'src/**'\n\
         [[rule]]\ndecision = 'deny'\npath = 'src/gen/*'\n",
    );
    let says = |path: &str| bench.says(&rules, &bench.writes(path));
    assert_eq!(says("src/a/b.rs"), Ruling::Allow);
    assert_eq!(says("src/gen/a"), Ruling::Deny("a rule forbids it".into()));
    assert_eq!(says("other"), Ruling::None);
}

#[test]
fn answers_are_kept_and_narrow() {
    let bench = Bench::new();
    let (mut rules, _) = bench.load("");
    rules
        .remember(&Remember::Command("make all".into()), Some("."))
        .unwrap();
    rules
        .remember(
            &Remember::Prefix(vec!["cargo".into(), "test".into()]),
            Some("."),
        )
        .unwrap();
    rules
        .remember(&Remember::Edits("a[1].txt".into()), None)
        .unwrap();
    rules
        .remember(&Remember::Host("docs.example.org".into()), None)
        .unwrap();
    rules
        .remember(&Remember::Tool("mcp__a__b".into()), None)
        .unwrap();
    let (again, problems) = bench.load("");
    assert_eq!(problems, Vec::<String>::new());
    for rules in [&rules, &again] {
        let says = |effects: &Effects| bench.says(rules, effects);
        assert_eq!(says(&bench.runs("make all")), Ruling::Allow);
        assert_eq!(says(&bench.runs("make all ")), Ruling::None);
        assert_eq!(says(&bench.runs("cargo test -p x")), Ruling::Allow);
        assert_eq!(says(&bench.runs("cargo run")), Ruling::None);
        for command in ["make all", "cargo test"] {
            let mut elsewhere = bench.runs(command);
            elsewhere.script.as_mut().unwrap().dir.push("sub");
            assert_eq!(says(&elsewhere), Ruling::None, "{command}");
        }
        let elsewhere = bench.runs("cargo test --manifest-path x");
        assert_eq!(says(&elsewhere), Ruling::None);
        assert_eq!(says(&bench.writes("a[1].txt")), Ruling::Allow);
        assert_eq!(says(&bench.writes("a1.txt")), Ruling::None);
        assert_eq!(
            says(&fetches(&["http://docs.example.org/x"])),
            Ruling::Allow
        );
        assert_eq!(says(&fetches(&["http://example.org/"])), Ruling::None);
        let foreign = Effects {
            foreign: true,
            ..Effects::default()
        };
        assert_eq!(says(&foreign), Ruling::Allow);
    }
    assert_eq!(again.all().count(), 5);
}

#[test]
fn bad_rules_are_told_and_break_the_rest() {
    let bench = Bench::new();
    let (rules, problems) = bench.load(
        "[[rule]]\ndecision = 'allow'\ncommand = ['git']\nmatch = ['gti log']\n\
         [[rule]]\ndecision = 'allow'\npath = '['\n",
    );
    let first = "rules.toml:1: the rule does not fit its own example `gti log`";
    assert!(rules.broken.is_some_and(|problem| problem.ends_with(first)));
    insta::assert_snapshot!(problems.join("\n"), @"
    F:1: the rule does not fit its own example `gti log`
    F:5: error parsing glob '[': unclosed character class; missing ']'
    ");
}

#[test]
fn rules_that_fit_nothing_or_everything_are_mistakes() {
    let bench = Bench::new();
    let allow = "[[rule]]\ndecision = 'allow'\n";
    let (_, problems) = bench.load(&format!(
        "{allow}{allow}command = []\n{allow}tool = 'bahs'\n{allow}tool = 'mcp__a__b'\n"
    ));
    insta::assert_snapshot!(problems.join("\n"), @"
    F:1: `decision` allows everything: say which `tool`, `command`, `path` or `host`
    F:3: `command` is empty: it takes the words that a command begins with
    F:6: `tool` is `bahs`, which is no tool, did you mean `run_shell_command`?
    ");
    let (rules, problems) = bench.load("[[rule]]\ndecision = 'deny'\ntool = 'bash'\n");
    assert_eq!(problems, Vec::<String>::new());
    let denied = Ruling::Deny("a rule forbids it".into());
    assert_eq!(bench.says(&rules, &bench.runs("ls")), denied);
    assert_eq!(bench.says(&rules, &bench.writes("a")), Ruling::None);
}

#[test]
fn a_link_that_leads_out_takes_no_permission_with_it() {
    let bench = Bench::new();
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().canonicalize().unwrap().join("a.txt");
    std::fs::write(&target, "").unwrap();
    let (mut rules, _) = bench.load("");
    rules
        .remember(&Remember::Edits("a.txt".into()), None)
        .unwrap();
    assert_eq!(bench.says(&rules, &bench.writes("a.txt")), Ruling::Allow);
    std::os::unix::fs::symlink(&target, bench.workspace.root().join("a.txt")).unwrap();
    assert_eq!(bench.says(&rules, &bench.writes("a.txt")), Ruling::None);
    let outside = target.display().to_string();
    rules
        .remember(&Remember::Edits(outside.clone()), None)
        .unwrap();
    assert_eq!(bench.says(&rules, &bench.writes(&outside)), Ruling::Allow);
}
