//! What each mode allows.

use pollux_tools::sandbox::{Ladder, Limits, Network, SandboxMode, SandboxSetup};

use super::*;

fn policy(approval: ApprovalMode) -> Policy {
    Policy {
        mode: Mode::Build,
        approval,
        rules: Rules::default(),
        workspace: Arc::new(Workspace::new(&std::env::temp_dir(), &[]).unwrap()),
        home: None,
        own: Vec::new(),
        readable: Vec::new(),
        notes: None,
        sandbox: Sandbox::off(),
    }
}

fn reads(path: &str) -> Effects {
    Effects {
        reads: vec![Located::of(path.into())],
        ..Effects::default()
    }
}

fn writes(path: &str) -> Effects {
    Effects {
        writes: vec![Located::of(path.into())],
        ..Effects::default()
    }
}

fn runs(command: &str) -> Effects {
    Effects {
        script: Some(Script {
            command: command.into(),
            dir: std::env::temp_dir(),
        }),
        ..Effects::default()
    }
}

fn fetches(urls: &[&str]) -> Effects {
    let address = |url: &&str| Address::parse(url).unwrap();
    Effects {
        reaches: urls.iter().map(address).collect(),
        ..Effects::default()
    }
}

fn foreign() -> Effects {
    Effects {
        foreign: true,
        ..Effects::default()
    }
}

#[test]
fn a_stricter_mode_never_allows_more() {
    let root = policy(ApprovalMode::Default).workspace.root().to_owned();
    let inside = |name: &str| root.join(name).display().to_string();
    let modes = [
        ApprovalMode::Default,
        ApprovalMode::AutoEdit,
        ApprovalMode::Yolo,
    ];
    // Effects, and the least permissive mode that allows them; 3 is none.
    for (effects, least) in [
        (Effects::default(), 0),
        (reads(&inside("a")), 0),
        (writes(&inside("a")), 1),
        (reads("/etc/passwd"), 2),
        (writes("/srv/file"), 2),
        (writes("/etc/passwd"), 3),
        (reads(&inside(".env")), 3),
        (reads(&inside("sub/.ENV.local")), 3),
        (reads(&inside(".env.example")), 0),
        (reads("/home/dev/.ssh/id_rsa"), 3),
        (writes(&inside(".env")), 1),
        (writes(&inside("sub/.GIT/hooks/new")), 3),
        (writes(&inside(".bashrc")), 3),
        (writes(&inside(".vscode/tasks.json")), 3),
        (runs("make"), 2),
        (fetches(&["https://example.org/"]), 2),
        (fetches(&["https://example.org/", "http://10.0.0.1/"]), 3),
        (fetches(&["http://localhost:8080/"]), 3),
        (foreign(), 2),
    ] {
        for (level, mode) in modes.into_iter().enumerate() {
            let allowed = policy(mode).verdict("t", &effects) == Verdict::Allow;
            assert_eq!(allowed, level >= least, "{mode:?} {effects:?}");
        }
    }
}

#[test]
fn what_is_readable_can_be_read_and_nothing_more() {
    let mut policy = policy(ApprovalMode::Default);
    policy.readable = vec!["/srv/skills/pdf".into()];
    let is_allowed = |effects: &Effects| policy.verdict("t", effects) == Verdict::Allow;
    assert!(is_allowed(&reads("/srv/skills/pdf")));
    assert!(is_allowed(&reads("/srv/skills/pdf/make.py")));
    for effects in [
        reads("/srv/skills"),
        reads("/srv/skills/pdf2/make.py"),
        reads("/srv/skills/pdf/../key"),
        reads("/srv/skills/pdf/.env"),
        writes("/srv/skills/pdf/make.py"),
    ] {
        assert!(!is_allowed(&effects), "{effects:?}");
    }
    let mut both = reads("/srv/skills/pdf");
    both.reads.extend(reads("/srv/key").reads);
    assert!(!is_allowed(&both));
}

#[test]
fn where_no_sandbox_works_every_command_is_asked_about() {
    let dir = tempfile::tempdir().unwrap();
    let setup = SandboxSetup {
        mode: SandboxMode::Auto,
        ladder: Ladder {
            helper: "/nowhere".into(),
            state: dir.path().to_owned(),
            rungs: Vec::new(),
        },
        workspace: Vec::new(),
        home: None,
        own: Vec::new(),
        temp: dir.path().to_owned(),
        network: Network::Off,
        limits: Limits::default(),
    };
    let unfenced = |approval| Policy {
        sandbox: Sandbox::new(setup.clone()),
        ..policy(approval)
    };
    for approval in [ApprovalMode::Default, ApprovalMode::AutoEdit] {
        for command in ["cat f", "ls", "true", "git status", "cat f | head && pwd"] {
            let looked = unfenced(approval).look("run_shell_command", &runs(command));
            let Verdict::Ask(question) = looked.verdict else {
                panic!("{command} {:?}", looked.verdict);
            };
            let why = question.reasons.last().unwrap();
            assert!(why.starts_with("no sandbox works here: "), "{why}");
            assert_eq!(looked.guard_git, command.starts_with("git"));
            // Who wants no sandbox is not asked for want of one.
            let open = policy(approval).verdict("run_shell_command", &runs(command));
            assert_eq!(open, Verdict::Allow, "{command}");
        }
    }
}

#[test]
fn in_plan_mode_nothing_is_changed_whatever_is_allowed() {
    let root = policy(ApprovalMode::Default).workspace.root().to_owned();
    let inside = root.join("a").display().to_string();
    for approval in [
        ApprovalMode::Default,
        ApprovalMode::AutoEdit,
        ApprovalMode::Yolo,
    ] {
        let planning = Policy {
            mode: Mode::Plan,
            ..policy(approval)
        };
        let verdict = |effects| planning.verdict("t", &effects);
        assert_eq!(verdict(reads(&inside)), Verdict::Allow);
        assert_eq!(verdict(runs("ls")), Verdict::Allow);
        assert!(matches!(verdict(runs("make")), Verdict::Ask(_)));
        assert!(matches!(verdict(writes(&inside)), Verdict::Deny(_)));
        let fetch = fetches(&["https://example.org/"]);
        assert!(matches!(verdict(fetch), Verdict::Ask(_)));
        assert!(matches!(verdict(foreign()), Verdict::Ask(_)));
    }
}

fn asked(policy: &Policy, tool: &str, effects: &Effects) -> Question {
    match policy.verdict(tool, effects) {
        Verdict::Ask(question) => question,
        other => panic!("{effects:?}: {other:?}"),
    }
}

#[test]
fn what_reaches_the_network_is_asked_about_by_its_host() {
    let careful = policy(ApprovalMode::AutoEdit);
    let about = |urls: &[&str]| asked(&careful, "web_fetch", &fetches(urls));
    let one = about(&["https://example.org/a", "https://example.org/b"]);
    assert_eq!(one.reasons, ["it reaches `example.org` over the network"]);
    assert_eq!(one.always, [Remember::Host("example.org".into())]);
    let two = about(&["https://b.test/", "https://a.test/"]);
    assert_eq!(
        two.reasons,
        ["it reaches `a.test`, `b.test` over the network"]
    );
    assert_eq!(two.always, []);
    let alike = about(&["https://аррӏе.com/"]);
    insta::assert_snapshot!(alike.reasons.join("\n"), @"
    it reaches `xn--80ak6aa92e.com` over the network
    `xn--80ak6aa92e.com` is a name in letters that may look like others
    ");
    let yolo = policy(ApprovalMode::Yolo);
    let own = asked(&yolo, "web_fetch", &fetches(&["http://127.0.0.1:9/"]));
    assert!(own.dangerous && own.always.is_empty());
    insta::assert_snapshot!(own.reasons.join("\n"), @"it reaches `127.0.0.1`: this machine or a network of yours, not the internet");
}

/// All that a call does counts, and an answer about a part of it is not kept.
#[test]
fn what_does_several_things_is_asked_about_all_of_them() {
    let both = Effects {
        reads: vec![Located::of("/home/dev/.ssh/id_rsa".into())],
        ..fetches(&["https://example.org/"])
    };
    let question = asked(&policy(ApprovalMode::Default), "t", &both);
    assert!(question.dangerous && question.always.is_empty());
    assert_eq!(question.reasons.len(), 2);
}

#[test]
fn a_rule_about_a_foreign_tool_counts_while_building() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("rules.toml");
    std::fs::write(
        &file,
        "[[rule]]\ndecision = 'allow'\ntool = 'mcp__a__b'\n[[rule]]\ndecision = 'allow'\npath = '**'\n",
    )
    .unwrap();
    let with = |mode| Policy {
        mode,
        rules: Rules::load(&file, &dir.path().join("none")).0,
        ..policy(ApprovalMode::Default)
    };
    let (building, planning) = (with(Mode::Build), with(Mode::Plan));
    assert_eq!(building.verdict("mcp__a__b", &foreign()), Verdict::Allow);
    let other = asked(&building, "mcp__a__c", &foreign());
    assert_eq!(other.always, [Remember::Tool("mcp__a__c".into())]);
    assert_eq!(asked(&planning, "mcp__a__b", &foreign()).always, []);
}

#[test]
fn where_the_project_is_does_not_protect_its_files() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join(".claude/worktrees/a");
    std::fs::create_dir_all(&root).unwrap();
    let workspace = Arc::new(Workspace::new(&root, &[]).unwrap());
    let policy = Policy {
        workspace: Arc::clone(&workspace),
        ..policy(ApprovalMode::AutoEdit)
    };
    let write = |name: &str| writes(&workspace.root().join(name).display().to_string());
    assert_eq!(policy.verdict("t", &write("a")), Verdict::Allow);
    assert_ne!(policy.verdict("t", &write(".git/config")), Verdict::Allow);
}

#[test]
fn the_memory_file_of_a_repository_is_no_more_outside_than_its_parts() {
    let dir = tempfile::tempdir().unwrap();
    // Nor does where the repository is protect it.
    let root = dir.path().canonicalize().unwrap().join(".claude/repo");
    std::fs::create_dir_all(root.join("app")).unwrap();
    let notes = root.join("POLLUX.md");
    let policy = Policy {
        workspace: Arc::new(Workspace::new(&root.join("app"), &[]).unwrap()),
        notes: Some(notes.clone()),
        ..policy(ApprovalMode::AutoEdit)
    };
    let verdict = |path: &Path| policy.verdict("t", &writes(&path.display().to_string()));
    assert_eq!(verdict(&notes), Verdict::Allow);
    assert_ne!(verdict(&root.join("other.md")), Verdict::Allow);
    std::fs::write(root.join("other.md"), "").unwrap();
    std::os::unix::fs::symlink("other.md", &notes).unwrap();
    assert_ne!(verdict(&notes), Verdict::Allow);
}

#[test]
fn broken_rules_ask_for_everything() {
    let root = policy(ApprovalMode::Default).workspace.root().to_owned();
    let mut broken = policy(ApprovalMode::Yolo);
    broken.rules.broken = Some("F:1: wrong".into());
    let inside = root.join("a").display().to_string();
    let todos = Effects {
        todos: true,
        ..Effects::default()
    };
    for nothing in [Effects::default(), todos] {
        assert_eq!(broken.verdict("t", &nothing), Verdict::Allow);
    }
    for effects in [reads(&inside), writes(&inside), runs("make"), runs("ls")] {
        let Verdict::Ask(question) = broken.verdict("t", &effects) else {
            panic!("{effects:?}");
        };
        assert_eq!(
            question.reasons[0],
            "the rules could not be read (F:1: wrong)"
        );
        assert_eq!(question.remedy, "mending that file");
    }
}

#[test]
fn a_rule_covers_only_what_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let rules = dir.path().join("rules.toml");
    std::fs::write(
        &rules,
        "[[rule]]\ndecision = 'allow'\ncommand = ['make']\n[[rule]]\ndecision = 'deny'\ncommand = ['make', 'install']\n",
    )
    .unwrap();
    let (rules, problems) = Rules::load(&rules, &dir.path().join("none"));
    assert_eq!(problems, Vec::<String>::new());
    let policy = Policy {
        rules,
        ..policy(ApprovalMode::Default)
    };
    let verdict = |command: &str| policy.verdict(TOOL, &runs(command));
    assert_eq!(verdict("make all"), Verdict::Allow);
    assert_eq!(verdict("ls && make all"), Verdict::Allow);
    for asked in [
        "make $TARGET",
        "make > a.txt",
        "CC=x make",
        "make $(touch a)",
        "make && touch a",
        "make &",
        "{ make; } > a.txt",
        "make; )",
        "((PATH=1)); make",
    ] {
        assert!(matches!(verdict(asked), Verdict::Ask(_)), "{asked}");
    }
    let denied = Verdict::Deny("a rule forbids it".into());
    assert_eq!(verdict("make && make install"), denied);
    assert_eq!(verdict("m'a'ke install"), denied);
}

/// All the commands that reading shell is tested with.
fn known_commands() -> Vec<String> {
    let corpus = include_str!("../../../shell/tests/data/corpus.jsonl");
    let families = include_str!("../../../shell/tests/data/families.tsv");
    let line = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["command"].as_str().unwrap().to_owned()
    };
    let corpus = corpus.lines().map(line);
    let families = families.lines().filter_map(|line| line.split_once('\t'));
    let families = families.map(|(_, command)| command.to_owned());
    corpus.chain(families).collect()
}

#[test]
fn without_rules_only_what_is_known_to_be_harmless_runs() {
    // Searches are followed, so this is no place with many files.
    let dir = tempfile::tempdir().unwrap();
    let policy = Policy {
        workspace: Arc::new(Workspace::new(dir.path(), &[]).unwrap()),
        ..policy(ApprovalMode::Default)
    };
    let runs = |command: &str| {
        let mut effects = runs(command);
        effects.script.as_mut().unwrap().dir = policy.workspace.root().to_owned();
        effects
    };
    let more = [
        "ls &",
        "{ cat f; } > out.txt",
        "if true; then echo x; fi > src/main.rs",
        "((PATH=10)); ls",
        "for ((PATH=10;1;)); do ls; break; done",
        "cat f; )",
    ];
    for command in known_commands().into_iter().chain(more.map(str::to_owned)) {
        let effects = runs(&command);
        let class = policy.read(effects.script.as_ref().unwrap()).class;
        let allowed = policy.verdict(TOOL, &effects) == Verdict::Allow;
        assert_eq!(allowed, class == Class::ReadOnly, "{command}");
    }
    for command in more {
        let class = policy.read(runs(command).script.as_ref().unwrap()).class;
        assert_ne!(class, Class::ReadOnly, "{command}");
    }
}

#[test]
fn a_rule_that_asks_keeps_what_else_there_is_to_know() {
    let dir = tempfile::tempdir().unwrap();
    let rules = dir.path().join("rules.toml");
    let ask = "[[rule]]\ndecision = 'ask'\nreason = 'mind it'\n";
    let source = format!("{ask}command = ['rm']\n{ask}command = ['ls']\n{ask}path = '/srv/**'\n");
    std::fs::write(&rules, source).unwrap();
    let policy = Policy {
        rules: Rules::load(&rules, &dir.path().join("none")).0,
        ..policy(ApprovalMode::Default)
    };
    let asked = |effects| match policy.verdict(TOOL, &effects) {
        Verdict::Ask(question) => question,
        other => panic!("{other:?}"),
    };
    let danger = asked(runs("ls; rm -rf ~"));
    assert!(danger.dangerous && danger.reasons.len() > 1, "{danger:?}");
    assert_eq!(danger.reasons[0], "mind it");
    assert_eq!(danger.parts, ["ls", "rm -rf ~"]);
    assert_eq!(asked(runs("ls -l")).parts, ["ls -l"]);
    let edit = asked(writes("/srv/file"));
    assert_eq!(
        edit.reasons,
        ["mind it", "it changes `/srv/file`, outside the project"]
    );
    assert_eq!(edit.always, []);
}

#[test]
fn what_may_mean_something_else_next_time_is_not_remembered() {
    for command in [
        "make $TARGET",
        "make $(cat target)",
        "make `cat target`",
        "make *.o",
        "make {a,b}",
        "make <(date)",
        "env make",
        "timeout 5 make",
        "nice make",
        "nohup make",
        "xargs make",
        "sudo make",
        "eval make",
        "bash -c make",
        "sh build.sh",
        "python3 -c 1",
        "python3 build.py",
        "python3 -m pytest",
        "node build.js",
        "perl -e 1",
        "ruby build.rb",
        "find . -exec make ;",
        "make | sh",
        "cp f*.txt sub/",
        "uv run x",
        "gdb ./x",
        "docker run image",
        "make CC=evil",
        "go run .",
        "cargo run",
        "./x.sh",
        "cat <<$(a)\n$(a)\nmake",
        "for i in 1; do make; done",
    ] {
        match policy(ApprovalMode::Default).verdict("run_shell_command", &runs(command)) {
            Verdict::Ask(question) => {
                assert_eq!(question.always, [], "{command}");
                assert_eq!(question.once, Some(CHANGES), "{command}");
            }
            other => panic!("{command}: {other:?}"),
        }
    }
    let once = |policy: &Policy, command: &str| match policy
        .verdict("run_shell_command", &runs(command))
    {
        Verdict::Ask(question) => question.once,
        other => panic!("{other:?}"),
    };
    assert_eq!(once(&policy(ApprovalMode::Default), "make all"), None);
    let planning = Policy {
        mode: Mode::Plan,
        ..policy(ApprovalMode::Default)
    };
    let told = once(&planning, "make all").unwrap();
    assert_eq!(told, "in plan mode each command is asked about");
}

#[test]
fn a_rule_allows_commands_in_the_project_and_not_while_planning() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("rules.toml");
    let allow = "[[rule]]\ndecision = 'allow'\n";
    let source = format!("{allow}command = ['make']\n{allow}exactly = './build'\n");
    std::fs::write(&file, source).unwrap();
    let project = dir.path().join("project");
    std::fs::create_dir_all(project.join("sub")).unwrap();
    std::os::unix::fs::symlink(dir.path(), project.join("out")).unwrap();
    let with = |mode| Policy {
        mode,
        rules: Rules::load(&file, &dir.path().join("none")).0,
        workspace: Arc::new(Workspace::new(&project, &[]).unwrap()),
        ..policy(ApprovalMode::Default)
    };
    let (building, planning) = (with(Mode::Build), with(Mode::Plan));
    let run = |command: &str, place: &str| {
        let mut effects = runs(command);
        effects.script.as_mut().unwrap().dir = building.workspace.locate(place).real;
        effects
    };
    for command in ["make", "./build"] {
        let verdict = |policy: &Policy, place| policy.verdict(TOOL, &run(command, place));
        assert_eq!(verdict(&building, ""), Verdict::Allow);
        assert_eq!(verdict(&building, "sub"), Verdict::Allow);
        for asked in [
            verdict(&building, ".."),
            verdict(&building, "out"),
            verdict(&building, "/"),
            verdict(&planning, ""),
        ] {
            let Verdict::Ask(question) = asked else {
                panic!("{command}: {asked:?}");
            };
            assert_eq!(question.always, []);
        }
    }
    assert_ne!(building.verdict(TOOL, &run("ls", "..")), Verdict::Allow);
}

const TOOL: &str = "run_shell_command";
