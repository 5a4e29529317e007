//! What a saved file keeps.

use std::os::unix::fs::symlink;

use super::*;
use crate::testing::Project;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn overwritten(path: &Path, content: &[u8]) -> io::Result<()> {
    overwrite(path, &fs::metadata(path).unwrap(), content)
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
    create(&path, b"new").unwrap();
    assert_eq!(mode(&path), mode(&usual));
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[test]
fn creating_never_overwrites() {
    let project = Project::with(&[("a", "old")]);
    let error = create(&project.path("a"), b"new").unwrap_err();
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
    assert!(overwrite(&path, &seen, b"ours").is_err());
    assert_eq!(project.bytes("a"), b"theirs");
    assert_eq!(project.names(), ["a"]);
}

#[test]
fn links_are_followed_to_their_end() {
    let project = Project::with(&[("dir/a", "old")]);
    symlink("dir/b", project.path("one")).unwrap();
    symlink("a", project.path("dir/b")).unwrap();
    symlink("nowhere", project.path("dangling")).unwrap();
    symlink("circle", project.path("circle")).unwrap();
    assert_eq!(follow(&project.path("one")).unwrap(), project.path("dir/a"));
    assert_eq!(
        follow(&project.path("dangling")).unwrap(),
        project.path("nowhere")
    );
    assert!(follow(&project.path("circle")).is_err());
}
