//! Memory in temporary projects.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::reading::DEEPEST;
use super::*;
use crate::testing::Disk;

impl Disk {
    fn read_in(&self, cwd: &str) -> (Memory, String) {
        let (memory, problems) = read(Places {
            home: &self.home(),
            cwd: &self.at(cwd),
            forbids,
        });
        (memory, self.shown(&problems.join("\n")))
    }

    fn add(&self, cwd: &str, fact: &str) -> Result<PathBuf, String> {
        let places = Places {
            home: &self.home(),
            cwd: &self.at(cwd),
            forbids,
        };
        add_to_project(places, fact)
    }

    fn read(&self) -> (String, String) {
        let (memory, problems) = self.read_in("repo/app");
        (self.shown(&memory.to_string()), problems)
    }
}

/// Stands for what is known of secrets and of what is protected.
fn forbids(file: &Path, below: &Path) -> Option<&'static str> {
    let below = file.strip_prefix(below).unwrap_or(file);
    let is_git = below.components().any(|part| part.as_os_str() == ".git");
    let is_secret = file.ends_with(".env");
    let why = is_secret.then_some("it may hold secrets");
    why.or(is_git.then_some("it is protected"))
}

#[test]
fn the_user_comes_first_and_what_is_nearest_last() {
    let disk = Disk::new(&[
        ("home/POLLUX.md", "Be kind."),
        ("AGENTS.md", "above the repository"),
        ("repo/CLAUDE.md", "claude\n"),
        ("repo/AGENTS.md", "\n agents\n\n"),
        ("repo/app/POLLUX.md", "app"),
        ("repo/app/GEMINI.md", "agents"),
        ("repo/app/CLAUDE.md", " \n"),
    ]);
    symlink("AGENTS.md", disk.at("repo/GEMINI.md")).unwrap();
    let (memory, problems) = disk.read();
    assert_eq!(problems, "");
    insta::assert_snapshot!(memory, @"
    --- From /home/POLLUX.md ---
    Be kind.
    --- End of /home/POLLUX.md ---
    --- From /repo/AGENTS.md ---
    agents
    --- End of /repo/AGENTS.md ---
    --- From /repo/CLAUDE.md ---
    claude
    --- End of /repo/CLAUDE.md ---
    --- From /repo/app/POLLUX.md ---
    app
    --- End of /repo/app/POLLUX.md ---
    ");
    assert_eq!(
        project_file(&disk.at("repo/app")),
        disk.at("repo/POLLUX.md")
    );
}

#[test]
fn without_a_repository_only_the_directory_counts() {
    let disk = Disk::new(&[("x/AGENTS.md", "above"), ("x/y/AGENTS.md", "here")]);
    // Whatever is above the temporary directory is not this test's.
    let (memory, _) = disk.read_in("x/y");
    let texts: Vec<&str> = memory.files.iter().map(|file| &*file.text).collect();
    assert_eq!(texts, ["here"]);
    assert_eq!(project_file(&disk.at("x/y")), disk.at("x/y/POLLUX.md"));
}

#[test]
fn imports_follow_the_file_that_names_them() {
    let disk = Disk::new(&[
        ("home/POLLUX.md", "@mine.md and @../repo/app/b.md"),
        ("home/mine.md", "mine"),
        (
            "repo/AGENTS.md",
            "See @docs/style.md, @alice and @./none.md.",
        ),
        ("repo/docs/style.md", "style @../AGENTS.md @more.md"),
        ("repo/docs/more.md", "more"),
        ("repo/app/AGENTS.md", "last @b.md"),
        // Whom it is too far for, is not whom it is near.
        ("repo/app/b.md", "b"),
    ]);
    let (memory, problems) = disk.read_in("repo/app");
    let texts: Vec<&str> = memory.files.iter().map(|file| &*file.text).collect();
    assert_eq!(texts[1], "mine");
    assert_eq!(
        texts[3..],
        ["style @../AGENTS.md @more.md", "more", "last @b.md", "b"]
    );
    insta::assert_snapshot!(problems, @"/repo/AGENTS.md: `@./none.md` names no file");
}

#[test]
fn facts_are_added_where_they_belong() {
    let disk = Disk::new(&[("repo/AGENTS.md", "agents")]);
    let home = Home::new(disk.at("home/.pollux"));
    let add = |fact: &str| disk.add("repo/app", fact);
    let file = disk.at("repo/POLLUX.md");
    assert_eq!(add("Use tabs."), Ok(file.clone()));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    add("Test first.").unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text, "## Remembered\n\n- Use tabs.\n- Test first.\n");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(add("  "), Err("there is nothing to remember".to_owned()));
    assert_eq!(add_to_user(&home, "Be kind."), Ok(home.memory()));
    let (memory, problems) = read(Places {
        home: &home,
        cwd: &disk.at("repo"),
        forbids,
    });
    assert_eq!((memory.files.len(), problems.len()), (3, 0));
}

#[test]
fn what_the_user_notes_is_nobody_elses_business() {
    let disk = Disk::new(&[]);
    let mode = |file: &Path| file.metadata().unwrap().permissions().mode() & 0o777;
    let home = Home::new(disk.at("home/.pollux"));
    add_to_user(&home, "Be kind.").unwrap();
    assert_eq!(mode(&home.memory()), 0o600);
    fs::remove_file(home.memory()).unwrap();
    write(&home.memory(), None, b"Be kind.").unwrap();
    assert_eq!(mode(&home.memory()), 0o600);
}

#[test]
fn who_writes_at_the_same_time_loses_nothing() {
    let disk = Disk::new(&[]);
    let facts: Vec<String> = (0..24).map(|n| format!("Fact {n}.")).collect();
    std::thread::scope(|scope| {
        for fact in &facts {
            scope.spawn(|| disk.add("repo", fact).unwrap());
        }
    });
    let file = disk.at("repo/POLLUX.md");
    let text = fs::read_to_string(&file).unwrap();
    assert!(facts.iter().all(|fact| text.contains(fact)), "{text}");
    let written = write(&file, Some(b"another text"), b"mine");
    assert_eq!(
        written.unwrap_err().to_string(),
        "it has been changed meanwhile"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let entries = fs::read_dir(disk.at("repo")).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    names.sort();
    assert_eq!(names, [".git", "POLLUX.md", "app"]);
}

#[test]
fn what_leads_elsewhere_is_not_written_to() {
    let disk = Disk::new(&[("home/.bashrc", "mine\n"), ("repo/AGENTS.md", "agents\n")]);
    let (link, add) = (disk.at("repo/POLLUX.md"), || disk.add("repo", "fact"));
    symlink("../home/.bashrc", &link).unwrap();
    let why = disk.shown(&add().unwrap_err());
    assert_eq!(why, "/repo/POLLUX.md: it leads out of the project");
    fs::remove_file(&link).unwrap();
    symlink("nowhere", &link).unwrap();
    assert!(add().is_err());
    for (target, why) in [
        (".git/POLLUX.md", "/repo/.git/POLLUX.md: it is protected"),
        (".env", "/repo/.env: it may hold secrets"),
        ("build.rs", "/repo/build.rs, which is no memory file"),
    ] {
        fs::remove_file(&link).unwrap();
        fs::write(disk.at("repo").join(target), "as it was").unwrap();
        symlink(target, &link).unwrap();
        let told = disk.shown(&add().unwrap_err());
        assert_eq!(told, format!("/repo/POLLUX.md: it leads to {why}"));
        let text = fs::read_to_string(&link).unwrap();
        assert_eq!(text, "as it was");
    }
    fs::remove_file(&link).unwrap();
    symlink("AGENTS.md", &link).unwrap();
    add().unwrap();
    assert!(link.is_symlink());
    let agents = fs::read_to_string(disk.at("repo/AGENTS.md")).unwrap();
    assert_eq!(agents, "agents\n\n## Remembered\n\n- fact\n");
    let mine = fs::read_to_string(disk.at("home/.bashrc")).unwrap();
    assert_eq!(mine, "mine\n");
}

#[test]
fn imports_end_somewhere() {
    let names: Vec<(String, String)> = (0..9)
        .map(|n| (format!("repo/app/{n}.md"), format!("{n} @{}.md", n + 1)))
        .collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|(a, b)| (&**a, &**b)).collect();
    files.push(("repo/app/AGENTS.md", "@0.md"));
    let (memory, problems) = Disk::new(&files).read_in("repo/app");
    assert_eq!(memory.files.len(), 1 + DEEPEST);
    insta::assert_snapshot!(problems, @"/repo/app/4.md: its imports are too deep inside each other");
}

#[test]
fn however_much_is_imported_little_is_read() {
    let mut files: Vec<(String, String)> = (0..300)
        .map(|n| (format!("repo/{n}.md"), format!("text {n}")))
        .collect();
    let all: Vec<String> = (0..300).map(|n| format!("@{n}.md")).collect();
    let missing: Vec<String> = (0..900).map(|n| format!("@./no{}", n % 100)).collect();
    files.push(("repo/AGENTS.md".to_owned(), all.join(" ")));
    files.push(("repo/CLAUDE.md".to_owned(), missing.join(" ")));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let disk = Disk::new(&files);
    let (memory, problems) = disk.read_in("repo");
    assert_eq!(memory.files.len(), 2 + MOST_FILES);
    assert_eq!(problems.lines().count(), 11);
    assert!(
        problems.ends_with("\nand 92 more of the kind in memory files"),
        "{problems}"
    );
    fs::write(disk.at("repo/CLAUDE.md"), "x".repeat(MOST_BYTES)).unwrap();
    let (memory, problems) = disk.read_in("repo");
    assert_eq!(memory.files.len(), 1);
    insta::assert_snapshot!(problems, @"/repo/AGENTS.md: of memory 32 KiB are read, so 0 of 2289 bytes of this");
}

#[test]
fn what_is_nearest_is_the_last_to_be_left_out() {
    let half = "x".repeat(MOST_BYTES / 2);
    let disk = Disk::new(&[
        ("home/POLLUX.md", "mine"),
        ("repo/POLLUX.md", &format!("far {half}")),
        ("repo/AGENTS.md", &format!("near {half}")),
        ("repo/app/AGENTS.md", "nearest @AGENTS.md @more.md"),
        ("repo/app/more.md", "more"),
    ]);
    let (memory, problems) = disk.read_in("repo/app");
    let starts = memory.files.iter().map(|file| file.text.split(' ').next());
    let starts: Vec<&str> = starts.flatten().collect();
    assert_eq!(starts, ["mine", "far", "near", "nearest"]);
    insta::assert_snapshot!(problems, @"
    /repo/POLLUX.md: of memory 32 KiB are read, so 16348 of 16388 bytes of this
    /repo/app/more.md: of memory 32 KiB are read, and not this, nor other imports
    ");
}

#[test]
fn a_file_of_somebody_else_makes_nobody_read_secrets() {
    let disk = Disk::new(&[
        ("home/key", "SECRET"),
        ("repo/.env", "SECRET"),
        ("repo/.git/config", "SECRET"),
        ("repo/tax.txt", "SECRET"),
        ("repo/AGENTS.md", "read @.env @out/key @/etc/hostname"),
        ("repo/app/POLLUX.md", "read @../tax.txt"),
    ]);
    symlink("../.env", disk.at("repo/app/CLAUDE.md")).unwrap();
    symlink("../../home/key", disk.at("repo/app/AGENTS.md")).unwrap();
    symlink("../home", disk.at("repo/out")).unwrap();
    symlink("gone", disk.at("repo/app/GEMINI.md")).unwrap();
    symlink(".git/config", disk.at("repo/GEMINI.md")).unwrap();
    let (memory, problems) = disk.read();
    assert!(!memory.contains("SECRET"), "{memory}");
    insta::assert_snapshot!(problems, @"
    /repo/GEMINI.md: it is protected, and is not read
    /repo/app/AGENTS.md: it leads out of /repo/app, and is not read
    /repo/app/GEMINI.md: a link that leads nowhere
    /repo/app/CLAUDE.md: it leads out of /repo/app, and is not read
    /repo/app/../tax.txt: it leads out of /repo/app, and is not read
    /repo/.env: it may hold secrets, and is not read
    /repo/out/key: it leads out of /repo, and is not read
    /etc/hostname: it leads out of /repo, and is not read
    ");
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_counts() {
    let long = format!("{}ü", "x".repeat(MOST_BYTES - 1));
    let disk = Disk::new(&[
        ("repo/POLLUX.md", "too far"),
        ("repo/app/AGENTS.md", &long),
        ("repo/app/CLAUDE.md", "good \u{200b}"),
    ]);
    fs::create_dir(disk.at("repo/AGENTS.md")).unwrap();
    fs::write(disk.at("repo/GEMINI.md"), b"\xff\xfeg\0o\0").unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, disk.at("repo/CLAUDE.md"), 0o600.into()).unwrap();
    let (memory, problems) = disk.read_in("repo/app");
    insta::assert_snapshot!(problems, @"
    /repo/AGENTS.md: it is no file
    /repo/GEMINI.md: it is no text (UTF-8), and is not read
    /repo/CLAUDE.md: it is no file
    /repo/app/CLAUDE.md: hidden characters: U+200B in line 1, which the model reads
    /repo/app/AGENTS.md: of memory 32 KiB are read, so 32760 of 32769 bytes of this
    /repo/POLLUX.md: of memory 32 KiB are read, so 0 of 7 bytes of this
    ");
    assert_eq!(memory.files.len(), 2);
    let marked = &memory.files[1].text;
    assert!(
        marked.ends_with("line 1; nobody may have seen them]"),
        "{marked}"
    );
    let cut = &memory.files[0].text;
    assert!(cut.ends_with("x\n[the rest is left out]"), "{}", cut.len());
}
