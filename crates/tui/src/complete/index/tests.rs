//! The index of a real directory.

use std::fs;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use super::*;

/// A walk of a handful of files that takes longer than this has failed.
const DEADLINE: Duration = Duration::from_secs(20);

struct Project {
    dir: tempfile::TempDir,
    index: FileIndex,
    woken: Receiver<()>,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), files);
        let (wake, woken) = channel();
        let index = FileIndex::start(dir.path().into(), everything, move || {
            wake.send(()).unwrap_or_default();
        });
        Self { dir, index, woken }
    }

    /// Everything that is indexed, once `done` says that it is as it should be.
    fn all(&self, done: impl Fn(&Found) -> bool) -> Vec<String> {
        loop {
            let mut found = self.index.search("", 99);
            if !found.building && done(&found) {
                found.paths.sort();
                return found.paths;
            }
            self.woken.recv_timeout(DEADLINE).expect("news of a walk");
        }
    }
}

fn everything(dir: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(dir);
    walk.standard_filters(false);
    walk
}

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let file = dir.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
}

#[test]
fn what_cannot_be_shown_is_left_out_and_links_are_not_followed() {
    let project = tempfile::tempdir().unwrap();
    let root = project.path();
    write(
        root,
        &[
            ("a b/c d.txt", ""),
            (".github/ci.yml", ""),
            ("~/x", ""),
            ("evil\u{1b}[2J", ""),
            ("evil\nname/x", ""),
            ("evil\u{202e}", ""),
        ],
    );
    std::os::unix::fs::symlink("a b", root.join("link")).unwrap();
    std::os::unix::fs::symlink("..", root.join("a b/up")).unwrap();
    let mut tree = Tree::default();
    let walker = Walker {
        root: root.into(),
        walk: everything,
        state: Weak::new(),
        wake: || {},
    };
    for entry in walker.entries() {
        add(&mut tree, &entry);
    }
    let mut found = tree.search("", 99);
    found.sort();
    assert_eq!(
        found,
        [
            ".github/",
            ".github/ci.yml",
            "a b/",
            "a b/c d.txt",
            "a b/up",
            "link",
        ]
    );
}

#[test]
fn files_are_found_by_a_few_letters() {
    let project = Project::new(&[("src/main.rs", ""), ("src/tui/menu.rs", ""), ("README", "")]);
    project.all(|_| true);
    let found = |query| project.index.search(query, 9).paths;
    assert_eq!(found("menu"), ["src/tui/menu.rs"]);
    assert_eq!(found("sm")[0], "src/main.rs");
    assert_eq!(found("readme"), ["README"]);
    assert_eq!(found("src/t"), ["src/tui/", "src/tui/menu.rs"]);
    assert!(is_spelled_out("./src/m") && !is_spelled_out("src/m"));
    assert_eq!(project.index.search("r", 1).paths.len(), 1);
}

#[test]
fn what_comes_and_goes_is_seen_after_a_refresh() {
    let project = Project::new(&[("one", ""), ("dir/two", "")]);
    assert_eq!(project.all(|_| true), ["dir/", "dir/two", "one"]);
    fs::remove_dir_all(project.dir.path().join("dir")).unwrap();
    write(project.dir.path(), &[("three", "")]);
    assert_eq!(project.index.search("", 9).paths.len(), 3);
    project.index.refresh();
    let now = project.all(|found| found.paths.len() == 2);
    assert_eq!(now, ["one", "three"]);
}

#[test]
fn the_walker_ends_with_its_index() {
    let Project { index, woken, dir } = Project::new(&[("one", "")]);
    drop(index);
    while let Ok(()) = woken.recv_timeout(DEADLINE) {}
    assert_eq!(woken.try_recv(), Err(TryRecvError::Disconnected));
    drop(dir);
}

/// How many paths there were, and whether these were all, whenever somebody was woken by `walks`.
fn woken_by(dir: &Path, walks: impl FnOnce(&Walker<&dyn Fn()>)) -> Vec<(usize, bool)> {
    let state = Arc::new(Mutex::new(State::default()));
    let seen = Mutex::new(Vec::new());
    let wake = || {
        let state = lock(&state);
        seen.lock()
            .unwrap()
            .push((state.tree.len(), state.complete));
    };
    walks(&Walker {
        root: dir.into(),
        walk: everything,
        state: Arc::downgrade(&state),
        wake: &wake,
    });
    seen.into_inner().unwrap()
}

#[test]
fn a_first_walk_can_be_searched_before_it_is_over() {
    let names: Vec<String> = (0..FIRST_PATHS * 3).map(|n| format!("f{n}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &files);
    let seen = woken_by(dir.path(), |walker| {
        assert!(walker.first_walk().is_continue());
    });
    assert_eq!(
        seen,
        [
            (FIRST_PATHS, false),
            (FIRST_PATHS * 2, false),
            (FIRST_PATHS * 3, true)
        ]
    );
}

#[test]
fn a_walk_that_finds_nothing_new_wakes_nobody() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[("one", "")]);
    let seen = woken_by(dir.path(), |walker| {
        assert!(walker.first_walk().is_continue());
        assert!(walker.next_walk().is_continue());
        fs::rename(dir.path().join("one"), dir.path().join("two")).unwrap();
        assert!(walker.next_walk().is_continue());
    });
    assert_eq!(seen, [(1, true), (1, true)]);
}
