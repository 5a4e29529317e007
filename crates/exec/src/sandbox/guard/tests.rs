//! What commands do to protected files, and what is left of it.

use std::os::unix::fs::symlink;

use super::*;
use crate::sandbox::Network;

struct Place {
    dir: tempfile::TempDir,
    outside: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self {
            dir: tempfile::tempdir().unwrap(),
            outside: tempfile::tempdir().unwrap(),
        };
        let git = place.path(".git");
        fs::create_dir_all(git.join("hooks")).unwrap();
        fs::write(git.join("config"), "[core]\n").unwrap();
        fs::write(git.join("hooks/a.sample"), "example").unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    fn guard(&self, protected: &[&str]) -> Guard {
        let policy = SandboxPolicy {
            writable: vec![self.path("")],
            protected: protected.iter().map(|name| self.path(name)).collect(),
            network: Network::Off,
            tmp: self.path("tmp"),
            caches: Vec::new(),
            cache_changes: self.path("caches"),
        };
        Guard::before(&policy, Rung::Landlock)
    }

    fn put_back(&self, names: &[&str]) -> Vec<Report> {
        let names = names.iter();
        names.map(|name| Report::PutBack(self.path(name))).collect()
    }
}

const USUAL: &[&str] = &[
    ".git/config",
    ".git/hooks",
    ".git/info/attributes",
    ".vscode",
];

#[test]
fn what_is_changed_removed_or_made_is_put_back() {
    let place = Place::new();
    let guard = place.guard(USUAL);
    fs::write(place.path(".git/config"), "[core]\nfsmonitor = evil\n").unwrap();
    fs::remove_dir_all(place.path(".git/hooks")).unwrap();
    fs::create_dir(place.path(".vscode")).unwrap();
    fs::write(place.path(".vscode/tasks.json"), "evil").unwrap();
    fs::write(place.path("other"), "fine").unwrap();
    let changed = [".git/config", ".git/hooks", ".vscode"];
    assert_eq!(guard.after(), place.put_back(&changed));
    assert_eq!(fs::read(place.path(".git/config")).unwrap(), b"[core]\n");
    let sample = place.path(".git/hooks/a.sample");
    assert_eq!(fs::read(sample).unwrap(), b"example");
    assert!(!place.path(".vscode").exists());
    assert!(place.path("other").exists());
}

#[test]
fn nothing_changed_is_nothing_to_say() {
    let place = Place::new();
    let guard = place.guard(USUAL);
    fs::write(place.path(".git/index"), "fine").unwrap();
    assert_eq!(guard.after(), []);
}

#[test]
fn links_put_in_the_way_are_not_followed() {
    let place = Place::new();
    let outside = place.outside.path();
    fs::create_dir(outside.join("info")).unwrap();
    fs::write(outside.join("info/attributes"), "mine").unwrap();
    fs::write(outside.join("config"), "mine").unwrap();
    let guard = place.guard(USUAL);
    fs::rename(place.path(".git"), place.path("moved")).unwrap();
    symlink(outside, place.path(".git")).unwrap();
    let changed = [".git/config", ".git/hooks"];
    assert_eq!(guard.after(), place.put_back(&changed));
    assert_eq!(fs::read(place.path(".git/config")).unwrap(), b"[core]\n");
    for file in ["config", "info/attributes"] {
        assert_eq!(fs::read(outside.join(file)).unwrap(), b"mine", "{file}");
    }
}

#[test]
fn a_link_that_only_seems_to_make_something_is_removed_itself() {
    let place = Place::new();
    let outside = place.outside.path();
    fs::create_dir(outside.join("fish")).unwrap();
    let guard = place.guard(&[".config/fish"]);
    symlink(outside, place.path(".config")).unwrap();
    assert_eq!(guard.after(), place.put_back(&[".config/fish"]));
    assert!(outside.join("fish").exists());
    assert!(place.path(".config").symlink_metadata().is_err());
}

#[test]
fn a_new_repository_may_stay_if_it_runs_nothing() {
    for (config, stays) in [
        ("[core]\n\tbare = false\n", true),
        ("[core]\n\tfsmonitor = x\n", false),
    ] {
        let place = Place::new();
        fs::remove_dir_all(place.path(".git")).unwrap();
        let guard = place.guard(USUAL);
        fs::create_dir_all(place.path(".git/hooks")).unwrap();
        fs::write(place.path(".git/hooks/b.sample"), "example").unwrap();
        fs::write(place.path(".git/config"), config).unwrap();
        let reports = guard.after();
        assert_eq!(reports.is_empty(), stays, "{reports:?}");
        assert_eq!(place.path(".git/config").exists(), stays);
    }
}

#[test]
fn what_is_too_much_to_remember_is_at_least_reported() {
    let place = Place::new();
    let big = place.path(".mcp.json");
    fs::write(&big, vec![b'x'; 9 << 20]).unwrap();
    let guard = place.guard(&[".mcp.json"]);
    fs::write(&big, "evil").unwrap();
    assert_eq!(guard.after(), [Report::Changed(big)]);
}
