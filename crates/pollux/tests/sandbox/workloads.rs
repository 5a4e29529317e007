//! What people do in projects works.

use std::fs;

use pollux_exec::ShellEnd;
use pollux_exec::sandbox::{Denied, Grant, Rung};

use super::support::{Site, installed, rungs};

/// The programs a script needs, and the script.
const WORK: &[(&[&str], &str)] = &[
    (
        &["git"],
        "git init -q . && git config --list >/dev/null && git status",
    ),
    (
        &["git"],
        "git init -q . && echo a > a && git add a && \
         git -c user.name=me -c user.email=me@here commit -qm one && git status --short && \
         git checkout -qb other && git log --oneline && git gc -q",
    ),
    (
        &["git"],
        "git init -q sub && cd sub && git config user.name me && git status",
    ),
    (
        &["make"],
        "printf 'all: a.txt\\na.txt:\\n\\techo made > a.txt\\n' > Makefile && make -j4 && cat a.txt",
    ),
    (
        &["gcc"],
        "echo 'int main(void){return 0;}' > a.c && gcc -pipe -O1 a.c -o a && gcc a.c -o b && ./a",
    ),
    (
        &["python3"],
        "python3 -c 'import tempfile, subprocess, multiprocessing as m; \
         tempfile.NamedTemporaryFile(); subprocess.check_call([\"true\"]); \
         m.Process(target=print).start()'",
    ),
    (
        &["python3"],
        "python3 -m venv --without-pip env && env/bin/python -c 'print(1)'",
    ),
    (
        &["node"],
        "node -e 'require(\"fs\").writeFileSync(\"a\", \"x\"); require(\"child_process\").execSync(\"true\")'",
    ),
    (&["npm"], "npm init -y >/dev/null && npm run 2>&1 && npm ls"),
    (
        &["cargo"],
        "mkdir -p src && printf '[package]\\nname = \"tiny\"\\nversion = \"0.1.0\"\\nedition = \"2021\"\\n[workspace]\\n' > Cargo.toml && \
         echo 'fn main() { println!(\"tiny\"); } #[test] fn t() {}' > src/main.rs && \
         cargo run --offline && cargo test --offline",
    ),
    (
        &["perl"],
        "perl -e 'open F, \">\", \"a\" or die; print F 1'",
    ),
    (
        &["tar"],
        "echo a > a && tar czf a.tgz a && rm a && tar xzf a.tgz && cat a",
    ),
    (
        &["bash"],
        "t=$(mktemp) && echo x > $t && cat $t && rm $t && cat <<< here > /dev/null",
    ),
    (
        &["bash"],
        "echo x > $TMPDIR/a && cat $TMPDIR/a && echo out > /dev/stdout && head -c1 /dev/urandom >/dev/null",
    ),
    (
        &["bash"],
        "mkdir a && echo x > a/b && mv a/b c && ln c d && ln -s c e && rm -r a c d e",
    ),
    (
        &["ps"],
        "ps ax >/dev/null && ls /proc/self/ns >/dev/null && test -r /sys/kernel",
    ),
];

/// What takes shared memory and terminals of one's own.
const WORK_IN_NAMESPACES: &[(&[&str], &str)] = &[(
    &["python3"],
    "python3 -c 'import multiprocessing as m, pty; m.Lock(); pty.spawn([\"true\"])'",
)];

#[tokio::test]
async fn ordinary_work_works() {
    for rung in rungs() {
        let (mut done, mut failed) = (0, Vec::new());
        let more = match rung {
            Rung::Namespaces => WORK_IN_NAMESPACES,
            Rung::Landlock => &[],
        };
        for (programs, script) in WORK.iter().chain(more) {
            if !programs.iter().all(|program| installed(program)) {
                continue;
            }
            let site = Site::new(rung);
            // Tool chains are found through the real home; nothing of it is writable, and neither is
            // where the tests themselves are built.
            let script = format!(
                "unset CARGO_TARGET_DIR; HOME='{}'; {script}",
                std::env::var("HOME").unwrap_or_default()
            );
            let exit = site.run(&site.cell(), &script).await;
            if exit.end == ShellEnd::Exited(0) {
                done += 1;
            } else {
                failed.push(format!("{script}\n{:?}\n{}", exit.end, exit.stderr.text()));
            }
        }
        eprintln!("{}: {done} kinds of work done", rung.name());
        assert!(
            failed.is_empty(),
            "{}: {}",
            rung.name(),
            failed.join("\n\n")
        );
    }
}

#[tokio::test]
async fn what_was_made_is_there_afterwards() {
    for rung in rungs() {
        let site = Site::new(rung);
        site.run(&site.cell(), "mkdir -p a/b; echo made > a/b/c")
            .await;
        let made = fs::read_to_string(site.path("project/a/b/c")).unwrap();
        assert_eq!(made, "made\n", "{}", rung.name());
    }
}

#[tokio::test]
async fn everybodys_temporary_files_are_out_of_sight() {
    if !rungs().contains(&Rung::Namespaces) {
        return;
    }
    let site = Site::new(Rung::Namespaces);
    let foreign = tempfile::NamedTempFile::new_in("/tmp").unwrap();
    let name = foreign.path().display();
    let script =
        format!("test -e {name} && echo seen; echo x > /tmp/a && cat $TMPDIR/a /var/tmp/a");
    let exit = site.run(&site.cell(), &script).await;
    assert_eq!(exit.stdout.text(), "x\nx\n", "{}", exit.stderr.text());
}

#[tokio::test]
async fn caches_can_be_filled_and_stay_as_they_were() {
    if !rungs().contains(&Rung::Namespaces) {
        return;
    }
    let site = Site::new(Rung::Namespaces);
    site.write("home/.cargo/registry/crate", "old");
    let cell = site.cell();
    let script = "cd $HOME/.cargo/registry && echo new > crate && echo more > other && cat crate";
    let first = site.run(&cell, script).await;
    // The next command of the session finds it, nobody else does.
    let second = site.run(&cell, "cat $HOME/.cargo/registry/crate").await;
    let real = fs::read_to_string(site.path("home/.cargo/registry/crate")).unwrap();
    assert_eq!(first.stdout.text(), "new\n", "{}", first.stderr.text());
    assert_eq!(second.stdout.text(), "new\n");
    assert_eq!(real, "old");
    assert!(!site.path("home/.cargo/registry/other").exists());
}

#[tokio::test]
async fn a_missing_permission_is_recognised_and_can_be_granted() {
    for rung in rungs() {
        let site = Site::new(rung);
        let cell = site.cell();
        let script = "echo x > $OUT/new";
        let exit = site.run(&cell, script).await;
        let denied = exit.denied.unwrap();
        assert_eq!(
            denied,
            Denied::Write(site.path("outside/new")),
            "{}",
            rung.name()
        );
        let grant = cell.grant_for(&denied).unwrap();
        assert_eq!(grant, Grant::Write(site.path("outside")));
        let exit = site.run(&cell.clone().granting(&grant), script).await;
        assert_eq!(exit.end, ShellEnd::Exited(0), "{}", exit.stderr.text());
        assert!(site.path("outside/new").exists());
        // Now that it is there, it alone can be granted.
        let exit = site.run(&cell, "echo y >> $OUT/new").await;
        let grant = cell.grant_for(&exit.denied.unwrap()).unwrap();
        assert_eq!(grant, Grant::Write(site.path("outside/new")));
        let script = "echo y >> $OUT/new; echo z > $OUT/other";
        let exit = site.run(&cell.granting(&grant), script).await;
        assert_eq!(
            fs::read_to_string(site.path("outside/new")).unwrap(),
            "x\ny\n"
        );
        assert_eq!(exit.denied, Some(Denied::Write(site.path("outside/other"))));
    }
}

#[test]
fn what_is_never_granted() {
    let site = Site::new(rungs()[0]);
    let cell = site.cell();
    for denied in [
        Denied::Call,
        Denied::Protected(site.path("state/rules.toml")),
        Denied::Write("/nowhere-at-all/file".into()),
    ] {
        assert_eq!(cell.grant_for(&denied), None, "{denied:?}");
    }
}

#[tokio::test]
async fn what_is_protected_can_be_granted_too() {
    for rung in rungs() {
        let site = Site::new(rung);
        site.write("project/.git/hooks/a.sample", "example\n");
        let cell = site.cell();
        let hook = site.path("project/.git/hooks/pre-commit");
        let exit = site.run(&cell, "echo x > .git/hooks/pre-commit").await;
        match rung {
            Rung::Namespaces => assert_eq!(exit.denied, Some(Denied::Protected(hook.clone()))),
            Rung::Landlock => assert_eq!(exit.put_back, [site.path("project/.git/hooks")]),
        }
        assert!(!hook.exists());
        let denied = Denied::Protected(hook.clone());
        let grant = cell.grant_for(&denied).unwrap();
        assert_eq!(grant, Grant::Protected(site.path("project/.git/hooks")));
        let granted = cell.granting(&grant);
        site.run(&granted, "echo x > .git/hooks/pre-commit").await;
        assert!(hook.exists(), "{}", rung.name());
    }
}
