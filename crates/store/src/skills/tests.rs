//! Skills in temporary folders.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::testing::Disk;

impl Disk {
    fn project(&self) -> Belongings {
        Belongings::of(&self.at("repo"), &self.home()).unwrap()
    }
}

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nDo {name}.\n")
}

#[test]
fn skills_of_the_project_count_only_where_it_is_trusted_and_then_for_more() {
    let disk = Disk::new(&[
        ("home/skills/b/SKILL.md", &skill("two", "the user's")),
        ("home/skills/a/SKILL.md", &skill("one", "the user's")),
        ("home/skills/a/run.py", ""),
        ("home/skills/notes/README.md", ""),
        ("repo/.agents/skills/x/SKILL.md", &skill("two", "agents")),
        ("repo/.agents/skills/x/deep/SKILL.md", &skill("deep", "")),
        ("repo/.pollux/skills/y/SKILL.md", &skill("two", "pollux")),
        ("repo/.pollux/SKILL.md", &skill("elsewhere", "")),
    ]);
    let told = |project: Option<&Belongings>| {
        let (skills, problems) = read(&disk.home(), project);
        assert_eq!(problems, Vec::<String>::new());
        let told = skills.iter().map(|skill| {
            let folder = disk.shown(&skill.folder.display().to_string());
            format!(
                "{} ({}) {folder}: {}",
                skill.name, skill.description, skill.instructions
            )
        });
        told.collect::<Vec<_>>()
    };
    assert_eq!(
        told(None),
        [
            "one (the user's) /home/skills/a: Do one.",
            "two (the user's) /home/skills/b: Do two."
        ]
    );
    assert_eq!(
        told(Some(&disk.project())),
        [
            "one (the user's) /home/skills/a: Do one.",
            "two (pollux) /repo/.pollux/skills/y: Do two."
        ]
    );
}

#[test]
fn a_bad_skill_costs_only_itself() {
    let good = skill("good", "x");
    let disk = Disk::new(&[
        ("home/skills/bad/SKILL.md", "---\nname: bad\nwhat\n---\n"),
        ("home/skills/good/SKILL.md", &good),
        ("home/skills/long/SKILL.md", &"x".repeat(65 << 10)),
        ("repo/.agents/skills/bad/SKILL.md", "no head"),
        ("repo/.agents/skills/long/SKILL.md", &"x".repeat(65 << 10)),
        ("repo/.agents/skills/other/SKILL.md", &good),
    ]);
    fs::create_dir_all(disk.at("home/skills/dir/SKILL.md")).unwrap();
    symlink("../bad", disk.at("home/skills/link")).unwrap();
    let project = disk.project();
    fs::write(disk.at("repo/.agents/skills/other/SKILL.md"), "changed").unwrap();
    let (skills, problems) = read(&disk.home(), Some(&project));
    assert_eq!(skills.len(), 1);
    assert!(skills[0].folder.ends_with("home/skills/good"));
    insta::assert_snapshot!(disk.shown(&problems.join("\n")), @"
    /home/skills/bad/SKILL.md:3: expected `key: value`
    /home/skills/dir/SKILL.md: it is no file
    /home/skills/long/SKILL.md: it has more than 64 KiB
    /repo/.agents/skills/bad/SKILL.md:1: expected `---`, then `name: ..`
    /repo/.agents/skills/long/SKILL.md: it has more than 64 KiB
    /repo/.agents/skills/other/SKILL.md: it has just changed; start again
    ");
}

#[test]
fn what_goes_with_every_request_is_bounded() {
    let many: Vec<(String, String)> = (10..30)
        .map(|n| {
            let name = format!("s{n}");
            let text = skill(&name, &"x".repeat(1000));
            (format!("home/skills/{name}/SKILL.md"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = many.iter().map(|(a, b)| (&**a, &**b)).collect();
    let (skills, problems) = read(&Disk::new(&files).home(), None);
    assert_eq!(skills.len(), 8);
    insta::assert_snapshot!(problems.join("\n"), @"of what skills are for 8 KiB are told to the model, so `s18` and those behind it are left out: 12 in all");
}
