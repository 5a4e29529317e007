//! What a saved file keeps.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::*;
use crate::testing::Project;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn overwritten(path: &Path, content: &[u8]) -> io::Result<()> {
    overwrite(&located(path), &fs::metadata(path).unwrap(), content)
}

fn located(path: &Path) -> Located {
    Located::of(path.to_owned())
}

#[test]
fn the_mode_stays_and_nothing_else_is_left() {
    let project = Project::new();
    let path = project.file("a", "old");
    for kept in [0o600, 0o755, 0o664] {
        fs::set_permissions(&path, Permissions::from_mode(kept)).unwrap();
        overwritten(&path, b"new").unwrap();
        assert_eq!(mode(&path), kept);
    }
    assert_eq!(project.bytes("a"), b"new");
    assert_eq!(project.names(), ["a"]);
}

#[test]
fn a_new_file_has_the_usual_mode() {
    let project = Project::new();
    let usual = project.file("usual", "");
    let path = project.path("deep/er/a");
    create(&located(&path), b"new").unwrap();
    assert_eq!(mode(&path), mode(&usual));
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[test]
fn creating_never_overwrites() {
    let project = Project::with(&[("a", "old")]);
    let error = create(&located(&project.path("a")), b"new").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(project.bytes("a"), b"old");
    assert_eq!(project.names(), ["a"]);
}

#[test]
fn a_file_is_replaced_not_rewritten() {
    let project = Project::with(&[("a", "old")]);
    let path = project.path("a");
    // Whoever has the old file open still reads the old content.
    let mut reader = File::open(&path).unwrap();
    overwritten(&path, b"new").unwrap();
    assert_eq!(io::read_to_string(&mut reader).unwrap(), "old");
}

#[test]
fn all_names_of_a_file_stay_its_names() {
    let project = Project::with(&[("a", "old content")]);
    fs::hard_link(project.path("a"), project.path("b")).unwrap();
    overwritten(&project.path("a"), b"new").unwrap();
    assert_eq!(project.bytes("b"), b"new");
}

#[test]
fn attributes_stay() {
    let project = Project::with(&[("a", "old")]);
    let path = project.path("a");
    let set = rustix::fs::setxattr(&path, "user.note", b"keep", XattrFlags::empty());
    // Not every file system has them; then there is nothing to keep.
    if set != Err(rustix::io::Errno::NOTSUP) {
        set.unwrap();
        overwritten(&path, b"new").unwrap();
        let mut value = [0; 8];
        let length = rustix::fs::getxattr(&path, "user.note", &mut value).unwrap();
        assert_eq!(&value[..length], b"keep");
    }
}

#[test]
fn what_somebody_else_changed_is_left_alone() {
    let project = Project::with(&[("a", "old")]);
    let path = project.path("a");
    let seen = fs::metadata(&path).unwrap();
    project.file("a", "theirs");
    assert!(overwrite(&located(&path), &seen, b"ours").is_err());
    assert_eq!(project.bytes("a"), b"theirs");
    assert_eq!(project.names(), ["a"]);
}

#[test]
fn a_link_that_comes_later_is_not_followed() {
    let project = Project::with(&[("inside/a", "old"), ("outside/a", "theirs")]);
    let (leaf, new) = (project.path("inside/a"), project.path("inside/new/b"));
    let seen = fs::metadata(&leaf).unwrap();
    let [leaf, new] = [leaf, new].map(|path| located(&path));
    fs::rename(project.path("inside"), project.path("moved")).unwrap();
    symlink("outside", project.path("inside")).unwrap();
    let error = overwrite(&leaf, &seen, b"ours").unwrap_err();
    insta::assert_snapshot!(error, @"the link `inside` has been put in the way");
    create(&new, b"ours").unwrap_err();
    fs::remove_file(project.path("inside")).unwrap();
    fs::create_dir(project.path("inside")).unwrap();
    symlink("../outside/a", project.path("inside/a")).unwrap();
    overwrite(&leaf, &seen, b"ours").unwrap_err();
    assert_eq!(project.bytes("outside/a"), b"theirs");
    assert_eq!(fs::read_dir(project.path("outside")).unwrap().count(), 1);
}

#[test]
fn a_second_name_that_comes_later_is_left_alone() {
    let project = Project::with(&[("a", "old"), ("outside", "theirs")]);
    let target = located(&project.path("a"));
    fs::remove_file(project.path("a")).unwrap();
    fs::hard_link(project.path("outside"), project.path("a")).unwrap();
    let seen = fs::metadata(project.path("a")).unwrap();
    overwrite(&target, &seen, b"ours").unwrap_err();
    assert_eq!(project.bytes("outside"), b"theirs");
}
