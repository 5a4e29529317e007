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

    /// The reports that say so, and what is kept aside.
    fn put_back(&self, names: &[&str], reports: &[Report]) -> Vec<(String, Vec<u8>)> {
        let expected = names.iter().map(|name| Report::PutBack(self.path(name)));
        let expected: Vec<_> = expected.collect();
        let (put_back, aside) = reports.split_at(expected.len());
        assert_eq!(put_back, expected);
        let [Report::KeptAside(aside)] = aside else {
            panic!("{aside:?}");
        };
        let entries = fs::read_dir(aside).unwrap();
        let mut kept: Vec<_> = entries
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, fs::read(&path).unwrap_or_default())
            })
            .collect();
        kept.sort();
        kept
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
    let kept = place.put_back(&changed, &guard.after());
    let evil = b"[core]\nfsmonitor = evil\n".to_vec();
    assert_eq!(
        kept,
        [(".git-config".into(), evil), (".vscode".into(), Vec::new())]
    );
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
    place.put_back(&changed, &guard.after());
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
    place.put_back(&[".config/fish"], &guard.after());
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
    assert_eq!(guard.after(), [Report::Changed(big.clone())]);
    assert_eq!(fs::read(big).unwrap(), b"evil", "nothing is deleted");
}

#[test]
fn what_the_user_makes_meanwhile_is_not_lost() {
    let place = Place::new();
    let guard = place.guard(&[".bashrc", ".idea", "sub/.idea"]);
    fs::write(place.path(".bashrc"), "mine").unwrap();
    fs::create_dir(place.path(".idea")).unwrap();
    fs::write(place.path(".idea/workspace.xml"), "mine").unwrap();
    let kept = place.put_back(&[".bashrc", ".idea"], &guard.after());
    let names: Vec<_> = kept.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [".bashrc", ".idea"]);
    assert_eq!(kept[0].1, b"mine");
}

#[test]
fn modes_of_what_is_protected_elsewhere_are_told() {
    let place = Place::new();
    let keys = place.outside.path().join(".ssh");
    let key = keys.join("id");
    fs::create_dir(&keys).unwrap();
    fs::write(&key, "mine").unwrap();
    let guard = place.guard(&[keys.to_str().unwrap()]);
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    fs::set_permissions(&key, open).unwrap();
    assert_eq!(guard.after(), [Report::Changed(key)]);
}
