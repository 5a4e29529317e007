//! What commands reach through links, patterns and searches, and what rules say to that.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use pollux_tools::{Effects, Sandbox, Script, Workspace};
use pollux_types::{ApprovalMode, Mode};

use super::super::{Policy, Verdict};
use crate::rules::Rules;

struct Bench {
    dir: tempfile::TempDir,
    policy: Policy,
}

impl Bench {
    /// A project with `files`, and links in it.
    fn new(files: &[&str], links: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("project");
        fs::create_dir_all(dir.path().join("outside")).unwrap();
        fs::write(dir.path().join("outside/notes"), "").unwrap();
        for file in files {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        for (target, link) in links {
            symlink(target, root.join(link)).unwrap();
        }
        let policy = Policy {
            mode: Mode::Build,
            approval: ApprovalMode::Default,
            rules: Rules::default(),
            workspace: Arc::new(Workspace::new(&root, &[]).unwrap()),
            home: None,
            own: Vec::new(),
            readable: Vec::new(),
            notes: None,
            sandbox: Sandbox::off(),
        };
        Self { dir, policy }
    }

    fn rules(mut self, source: &str) -> Self {
        let file = self.dir.path().join("rules.toml");
        fs::write(&file, source).unwrap();
        let (rules, problems) = Rules::load(&file, &self.dir.path().join("none"));
        assert_eq!(problems, Vec::<String>::new());
        self.policy.rules = rules;
        self.policy.approval = ApprovalMode::Yolo;
        self
    }

    fn says(&self, command: &str) -> &'static str {
        let script = Script {
            command: command.into(),
            dir: self.policy.workspace.root().to_owned(),
        };
        let effects = Effects {
            script: Some(script),
            ..Effects::default()
        };
        match self.policy.verdict("run_shell_command", &effects) {
            Verdict::Allow => "allow",
            Verdict::Ask(question) if question.dangerous => "danger",
            Verdict::Ask(_) => "ask",
            Verdict::Deny(_) => "deny",
        }
    }

    fn all_say(&self, wanted: &str, commands: &[&str]) {
        for command in commands {
            assert_eq!(self.says(command), wanted, "{command}");
        }
    }
}

#[test]
fn links_are_judged_by_where_they_lead() {
    let bench = Bench::new(
        &["a.txt", ".env", "dir/x", ".git/config"],
        &[
            ("/etc/shadow", "sl"),
            ("/etc/hostname", "lh"),
            (".env", "env2"),
            ("../outside", "dl"),
            ("dir", "inner"),
            (".git/config", "settings"),
        ],
    );
    bench.all_say("allow", &["cat a.txt", "cat inner/x", "cd inner && cat x"]);
    bench.all_say(
        "danger",
        &[
            "wc -c sl",
            "date -f sl",
            "cat env2",
            "cat s*",
            "cat ??",
            "cat < env2",
            "cd . && head ./env2",
            "unknown sl",
            "unknown --file=sl",
            "echo x > settings",
        ],
    );
    bench.all_say(
        "ask",
        &[
            "cat lh",
            "cat dl/notes",
            "cd dl && cat notes",
            "cat dl/../outside/notes",
            "ls dl/",
            "cat */notes",
            "test -f dl/notes",
        ],
    );
}

#[test]
fn searches_are_judged_by_what_they_find() {
    let plain = Bench::new(&["a.txt", "sub/b.rs"], &[("/etc/hostname", "sub/lh")]);
    plain.all_say("allow", &["grep -rn key .", "rg key", "grep -r key sub"]);
    plain.all_say("ask", &["grep -R key .", "rg --follow key"]);
    let secret = Bench::new(&["a.txt", "sub/b.rs", "sub/.env", "other/c"], &[]);
    secret.all_say(
        "danger",
        &[
            "grep -rn key .",
            "grep -r key",
            "grep -d recurse key sub",
            "rg -. key",
            "rg -uu key sub",
            "rg -g .env key",
            "diff -r sub other",
            "grep -r --include='.e*' key .",
        ],
    );
    secret.all_say(
        "allow",
        &[
            "rg key",
            "grep -r key other",
            "grep -r key sub/b.rs",
            "grep -rn --include='*.rs' key .",
            "grep -rn --exclude='.env*' key .",
            "rg --hidden -g '!.env' key",
        ],
    );
}

#[test]
fn a_forbidden_program_is_found_however_it_is_called() {
    let bench = Bench::new(&["a.txt"], &[]).rules(
        "[[rule]]\ndecision = 'deny'\ncommand = ['touch']\n\
         [[rule]]\ndecision = 'deny'\ncommand = ['git', 'push']\n",
    );
    bench.all_say(
        "deny",
        &[
            "touch new",
            "/usr/bin/touch new",
            "command touch new",
            "timeout 5 touch new",
            "env touch new",
            "nice touch new",
            "ls | xargs touch",
            "find . -exec touch {} +",
            "sh -c 'touch new'",
            "echo $(touch new)",
            "git push",
            "git -C . push",
            "git --no-pager push",
        ],
    );
    bench.all_say(
        "ask",
        &[
            "x=touch; $x new",
            "$(echo touch) new",
            "python3 -c 'run(1)'",
            "ls <<$(a)\n$(a)\ntouch new",
        ],
    );
    bench.all_say("allow", &["make", "cp a.txt touch", "git log push"]);
}

#[test]
fn a_forbidden_path_is_found_in_commands() {
    let bench = Bench::new(&["secret.txt", "a.txt", "sub/b"], &[("secret.txt", "link")])
        .rules("[[rule]]\ndecision = 'deny'\npath = 'secret.txt'\n");
    bench.all_say(
        "deny",
        &[
            "cat secret.txt",
            "cat ./sub/../secret.txt",
            "cat sec*",
            "cat link",
            "echo x > secret.txt",
            "cp a.txt secret.txt",
            "cd sub && cat ../secret.txt",
            "grep -r x .",
            "unknown secret.txt",
        ],
    );
    bench.all_say("allow", &["cat a.txt", "make", "grep -r x sub"]);
}
