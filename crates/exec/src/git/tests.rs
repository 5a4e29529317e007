//! Hostile repositories: none of them gets to run anything.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::*;
use crate::sandbox::{Confinement, Unconfined};

/// What only reads.
const READING: &[&[&str]] = &[
    &["status"],
    &["diff"],
    &["diff", "--stat", "HEAD"],
    &["log", "-p"],
    &["show"],
    &["blame", "file"],
    &["ls-files", "-m"],
    &["grep", "two"],
];

/// What is added to `.git/config`, where `EVIL` stands for a program, and attributes of files.
/// A `ÿ` stands for a byte that is no text.
const HOSTILE: &[(&str, &str, &str)] = &[
    ("a monitor", "[core]\n\tfsmonitor = EVIL\n", ""),
    ("hooks elsewhere", "[core]\n\thooksPath = hooks\n", ""),
    ("hooks", "", ""),
    (
        "a pager",
        "[core]\n\tpager = EVIL\n[pager]\n\tstatus = EVIL\n\tdiff = EVIL\n\tlog = EVIL\n",
        "",
    ),
    ("text", "[diff \"x\"]\n\ttextconv = EVIL\n", "* diff=x\n"),
    ("differences", "[diff]\n\texternal = EVIL\n", ""),
    (
        "differences of some",
        "[diff \"X.y\"]\n\tcommand = EVIL\n",
        "* diff=X.y\n",
    ),
    (
        "a filter",
        "[filter \"x\"]\n\tclean = EVIL\n\tsmudge = EVIL\n\trequired\n",
        "* filter=x\n",
    ),
    (
        "a process",
        "[filter \"x\"]\n\tprocess = EVIL\n\trequired = true\n",
        "* filter=x\n",
    ),
    (
        "signatures",
        "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = EVIL\n",
        "",
    ),
    (
        "another file",
        "[include]\n\tpath = ../more\n",
        "* diff=x filter=x\n",
    ),
    (
        "a remote",
        "[core]\n\tsshCommand = EVIL\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n\
         [remote \"origin\"]\n\turl = ext::EVIL\n\tpromisor = true\n[protocol]\n\tallow = always\n",
        "",
    ),
    (
        "a name that is no text",
        "[filter \"\u{ff}\"]\n\tclean = EVIL\n\tsmudge = EVIL\n[diff \"\u{ff}\"]\n\ttextconv = EVIL\n\
         [merge \"\u{ff}\"]\n\tdriver = EVIL\n",
        "* filter=\u{ff} diff=\u{ff} merge=\u{ff}\n",
    ),
    (
        "a name like another",
        "[diff \"a.B c\"]\n\tcommand = EVIL\n[diff \"a=b\"]\n\ttextconv = EVIL\n",
        "file diff=a=b\n",
    ),
    (
        "a submodule",
        "[submodule \"sub\"]\n\tignore = none\n[status]\n\tsubmoduleSummary = true\n[diff]\n\tsubmodule = diff\n",
        "",
    ),
];

struct Repository {
    dir: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let repository = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(repository.path("work")).unwrap();
        let program = format!(
            "#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n",
            repository.path("ran").display()
        );
        repository.program("evil", &program);
        repository.stock("work", &["init", "-q"]);
        fs::write(repository.path("work/file"), "one\n").unwrap();
        repository.commit("work");
        repository.stock("work", &["init", "-q", "sub"]);
        fs::write(repository.path("work/sub/inner"), "one\n").unwrap();
        repository.commit("work/sub");
        repository.stock(
            "work",
            &[
                "-c",
                "protocol.file.allow=always",
                "submodule",
                "--quiet",
                "add",
                "./sub",
            ],
        );
        repository.commit("work");
        fs::write(repository.path("work/file"), "one\ntwo\n").unwrap();
        fs::write(repository.path("work/sub/inner"), "one\ntwo\n").unwrap();
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    async fn hardened(&self, dir: &str, attributes: &str) -> io::Result<HardenedGit> {
        let (job, cancel) = (self.job(dir), CancellationToken::new());
        HardenedGit::for_job(&job, attributes, self.dir.path(), &cancel).await
    }

    async fn ask(&self, job: &ShellJob, cancel: &CancellationToken) -> io::Result<HardenedGit> {
        HardenedGit::for_job(job, "", self.dir.path(), cancel).await
    }

    fn job(&self, dir: &str) -> ShellJob {
        ShellJob {
            command: "git status".into(),
            dir: self.path(dir),
            timeout: Duration::from_mins(1),
            output_limit: 1000,
            hidden_variables: Vec::new(),
            variables: Vec::new(),
            confinement: Confinement::Unconfined(Unconfined::Off),
            live: Live::default(),
        }
    }

    fn program(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// git as it is, for the good part of a repository's life.
    fn stock(&self, dir: &str, args: &[&str]) {
        let output = self.git(dir, args.iter().map(|arg| (*arg).to_owned()).collect(), &[]);
        assert!(output.status.success(), "{args:?} {output:?}");
    }

    fn commit(&self, dir: &str) {
        self.stock(dir, &["add", "-A"]);
        self.stock(
            dir,
            &[
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "commit",
                "-qm",
                "one",
            ],
        );
    }

    #[expect(clippy::disallowed_methods, reason = "it is what is tested")]
    fn git(
        &self,
        dir: &str,
        args: Vec<String>,
        variables: &[(String, OsString)],
    ) -> std::process::Output {
        let mut command = Command::new("git");
        command
            .args(args)
            .current_dir(self.path(dir))
            .stdin(Stdio::null());
        command
            .env("HOME", self.dir.path())
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command.envs(variables.iter().cloned()).output().unwrap()
    }

    fn turn_hostile(&self, settings: &str, attributes: &str) {
        let evil = self.path("evil").display().to_string();
        let settings = settings.replace("EVIL", &evil);
        for git in ["work/.git", "work/sub/.git"] {
            let config = self.path(git).join("config");
            let before = fs::read(&config).unwrap();
            fs::write(&config, [before, bytes(&settings)].concat()).unwrap();
        }
        let more = format!(
            "[core]\n\tfsmonitor = {evil}\n[diff \"x\"]\n\ttextconv = {evil}\n[filter \"x\"]\n\tclean = {evil}\n"
        );
        fs::write(self.path("work/more"), more).unwrap();
        fs::write(self.path("work/.gitattributes"), bytes(attributes)).unwrap();
        fs::create_dir_all(self.path("work/.git/info")).unwrap();
        fs::write(self.path("work/.git/info/attributes"), bytes(attributes)).unwrap();
        fs::create_dir_all(self.path("work/hooks")).unwrap();
        for hook in [
            "post-index-change",
            "pre-commit",
            "fsmonitor-watchman",
            "reference-transaction",
        ] {
            for hooks in ["work/hooks", "work/.git/hooks"] {
                let text = fs::read_to_string(self.path("evil")).unwrap();
                self.program(&format!("{hooks}/{hook}"), &text);
            }
        }
    }

    /// What ran, since the last time.
    fn ran(&self) -> Option<String> {
        let ran = fs::read_to_string(self.path("ran")).ok();
        fs::remove_file(self.path("ran")).ok();
        ran
    }
}

fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| (*arg).to_owned()).collect()
}

#[tokio::test]
async fn hostile_repositories_run_nothing() {
    let mut stock_ran = 0;
    for (name, settings, attributes) in HOSTILE {
        let repository = Repository::new();
        repository.turn_hostile(settings, attributes);
        let hardened = repository.hardened("work", "").await.unwrap();
        for reading in READING {
            // Make git look at contents again.
            fs::write(repository.path("work/file"), "one\ntwo\n").unwrap();
            let plain = repository.git("work", words(reading), &hardened.variables);
            assert_eq!(repository.ran(), None, "{name}: {reading:?} {plain:?}");
            let output = repository.git(
                "work",
                HardenedGit::arguments(&words(reading)),
                &hardened.variables,
            );
            assert_eq!(repository.ran(), None, "{name}: {reading:?}");
            assert!(output.status.success(), "{name}: {reading:?} {output:?}");
            if *reading == ["diff"] {
                let text = String::from_utf8_lossy(&output.stdout);
                assert!(text.contains("\n+two\n"), "{name}: {text}");
            }
            fs::write(repository.path("work/file"), "one\ntwo\n").unwrap();
            repository.git("work", words(reading), &[]);
            stock_ran += usize::from(repository.ran().is_some());
        }
    }
    // So the repositories are hostile indeed.
    assert!(stock_ran >= 40, "{stock_ran}");
}

#[tokio::test]
async fn manuals_are_not_shown_with_what_a_repository_names() {
    for settings in [
        "[man]\n\tviewer = evil\n[man \"evil\"]\n\tcmd = EVIL\n",
        "[man \"man\"]\n\tpath = EVIL\n",
        "[help]\n\tformat = web\n\tbrowser = evil\n\thtmlpath = http://host\n\
         [browser \"evil\"]\n\tcmd = EVIL\n",
        "[help]\n\tformat = html\n\thtmlpath = http://host\n[web]\n\tbrowser = \u{ff}\n\
         [browser \"\u{ff}\"]\n\tcmd = EVIL\n",
    ] {
        let repository = Repository::new();
        repository.turn_hostile(settings, "");
        let help = words(&["log", "--help"]);
        let hardened = repository.hardened("work", "").await.unwrap();
        repository.git("work", help.clone(), &hardened.variables);
        assert_eq!(repository.ran(), None, "{settings}");
        repository.git("work", help, &[]);
        assert!(repository.ran().is_some(), "it is hostile: {settings}");
    }
}

#[tokio::test]
async fn a_bare_repository_in_a_project_is_not_entered() {
    let repository = Repository::new();
    repository.stock("work", &["init", "-q", "--bare", "bare"]);
    let config = repository.path("work/bare/config");
    let text = fs::read_to_string(&config)
        .unwrap()
        .replace("bare = true", "bare = false\n\tworktree = .");
    let evil = repository.path("evil").display().to_string();
    fs::write(&config, format!("{text}[core]\n\tfsmonitor = {evil}\n")).unwrap();
    repository.git("work/bare", words(&["status"]), &[]);
    assert!(repository.ran().is_some(), "it is hostile");
    for dir in ["work", "work/bare"] {
        let hardened = repository.hardened(dir, "").await.unwrap();
        let output = repository.git("work/bare", words(&["status"]), &hardened.variables);
        assert_eq!(repository.ran(), None, "{dir}");
        assert!(!output.status.success(), "{dir}");
    }
}

#[test]
fn arguments_go_behind_the_subcommand() {
    let hardened = |args: &[&str]| HardenedGit::arguments(&words(args)).join(" ");
    insta::assert_snapshot!(
        hardened(&["-C", "log", "--no-pager", "diff", "--", "a"]),
        @"-C log --no-pager diff --no-ext-diff --no-textconv --ignore-submodules=all -- a"
    );
    assert_eq!(hardened(&["rev-parse", "HEAD"]), "rev-parse HEAD");
    assert_eq!(hardened(&[]), "");
    assert_eq!(hardened(&["-C"]), "-C");
}

#[tokio::test]
async fn a_repository_that_was_put_into_another_runs_nothing() {
    let mut stock_ran = 0;
    for (name, settings, attributes) in HOSTILE {
        let repository = Repository::new();
        repository.stock("work", &["init", "-q", "deep/nested"]);
        fs::write(repository.path("work/deep/nested/file"), "one\n").unwrap();
        repository.commit("work/deep/nested");
        let evil = repository.path("evil").display().to_string();
        let nested = repository.path("work/deep/nested");
        let config = fs::read_to_string(nested.join(".git/config")).unwrap();
        let settings = settings.replace("EVIL", &evil).replace("../more", "more");
        fs::write(nested.join(".git/config"), config + &settings).unwrap();
        let more = format!("[filter \"x\"]\n\tclean = {evil}\n");
        fs::write(nested.join(".git/more"), more).unwrap();
        fs::write(nested.join(".gitattributes"), attributes).unwrap();
        let hook = fs::read_to_string(repository.path("evil")).unwrap();
        repository.program("work/deep/nested/.git/hooks/post-index-change", &hook);
        // First it is just there, then a part of the other.
        for _ in 0..2 {
            for dir in ["work", "work/deep", "work/deep/nested"] {
                let hardened = repository.hardened(dir, "").await.unwrap();
                for reading in READING {
                    fs::write(nested.join("file"), "one\ntwo\n").unwrap();
                    repository.git(dir, words(reading), &hardened.variables);
                    assert_eq!(repository.ran(), None, "{name}: {dir} {reading:?}");
                    fs::write(nested.join("file"), "one\ntwo\n").unwrap();
                    repository.git(dir, words(reading), &[]);
                    stock_ran += usize::from(repository.ran().is_some());
                }
            }
            repository.stock("work", &["add", "deep/nested"]);
            repository.ran();
        }
    }
    // So it is hostile indeed.
    assert!(stock_ran >= 30, "{stock_ran}");
}

#[tokio::test]
async fn what_attributes_call_binary_is_not_shown() {
    let repository = Repository::new();
    fs::write(repository.path("work/.env"), "KEY=old\n").unwrap();
    // What the repository says about it does not count.
    fs::write(repository.path("work/.gitattributes"), ".env diff\n").unwrap();
    repository.commit("work");
    fs::write(repository.path("work/.env"), "KEY=new\n").unwrap();
    for reading in [
        &["diff"][..],
        &["log", "-p"],
        &["show"],
        &["grep", "KEY", "HEAD"],
    ] {
        let shown = async |attributes: &str| {
            let hardened = repository.hardened("work", attributes).await.unwrap();
            let output = repository.git("work", words(reading), &hardened.variables);
            String::from_utf8(output.stdout).unwrap()
        };
        assert!(shown("").await.contains("KEY=old"), "{reading:?}");
        let withheld = shown(".env -diff\n").await;
        assert!(!withheld.contains("KEY="), "{reading:?} {withheld}");
        assert!(withheld.contains("Binary file"), "{reading:?} {withheld}");
    }
}

/// What waits for a pipe that nobody writes to.
#[tokio::test]
async fn settings_without_an_end_are_not_waited_for() {
    let repository = Repository::new();
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        repository.path("work/fifo"),
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
    )
    .unwrap();
    repository.turn_hostile("[include]\n\tpath = ../fifo\n", "");
    let short = ShellJob {
        timeout: Duration::from_millis(100),
        ..repository.job("work")
    };
    let late = repository.ask(&short, &CancellationToken::new()).await;
    insta::assert_snapshot!(late.unwrap_err(), @"reading its settings takes too long");
    let cancel = CancellationToken::new();
    let job = repository.job("work");
    let asking = repository.ask(&job, &cancel);
    let (asked, ()) = tokio::join!(asking, async { cancel.cancel() });
    assert!(asked.is_err());
}

#[tokio::test]
async fn what_is_printed_is_bounded_and_complaints_are_told() {
    let repository = Repository::new();
    let work = repository.path("work");
    let git = HardenedGit::for_repository(&work, repository.dir.path()).await;
    let git = git.unwrap();
    let all = git.print(&work, &["diff"], 10_000).await.unwrap();
    let text = String::from_utf8(all.bytes).unwrap();
    assert!(text.contains("+two") && !all.cut, "{text}");
    let some = git.print(&work, &["diff"], 10).await.unwrap();
    assert_eq!(
        (some.bytes.as_slice(), some.cut),
        (&b"diff --git"[..], true)
    );
    let error = git.print(&work, &["show", "nothing"], 10).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("nothing"), "{error}");
}

/// More than fits into a pipe.
#[tokio::test]
async fn who_complains_at_length_goes_on() {
    const TIMES: usize = 5000;
    let repository = Repository::new();
    repository.stock("work", &["branch", "twice"]);
    repository.stock("work", &["tag", "twice"]);
    let work = repository.path("work");
    let git = HardenedGit::for_repository(&work, repository.dir.path()).await;
    let mut args = vec!["twice"; TIMES];
    args.insert(0, "rev-parse");
    let printed = git.unwrap().print(&work, &args, 1 << 20).await.unwrap();
    let lines = printed.bytes.iter().filter(|byte| **byte == b'\n');
    assert_eq!(lines.count(), TIMES);
}
