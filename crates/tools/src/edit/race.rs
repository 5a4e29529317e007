//! Edits while somebody else puts links in their way.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use crate::testing::Project;
use crate::{RunContext, Workspace};

const EDITS: usize = 1000;

/// Has the two of each pair change places, over and over.
fn exchange(pairs: &[(PathBuf, PathBuf)], done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        for (one, other) in pairs {
            renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
        }
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn no_link_that_is_put_in_the_way_leads_out() {
    let outside = Project::with(&[("a", "old"), ("leaf", "old")]);
    let project = Project::with(&[("dir/a", "old"), ("leaf", "old")]);
    symlink(outside.path(""), project.path("to dir")).unwrap();
    symlink(outside.path("leaf"), project.path("to leaf")).unwrap();
    let workspace = Workspace::new(&project.path(""), &[]).unwrap();
    let pairs = ["dir", "leaf"].map(|name| {
        let link = format!("to {name}");
        (project.path(name), project.path(&link))
    });
    let done = Arc::new(AtomicBool::new(false));
    let racer = std::thread::spawn({
        let done = Arc::clone(&done);
        move || exchange(&pairs, &done)
    });
    let (mut made, mut refused) = (0, 0);
    // On a busy machine either of the two may lose for a while.
    let all = |count: usize, both: bool| count >= EDITS && (both || count >= 50 * EDITS);
    for count in 0.. {
        if all(count, made > 0 && refused > 0) {
            break;
        }
        let name = match count % 4 {
            0 => "dir/a".to_owned(),
            1 => "leaf".to_owned(),
            2 => format!("dir/{count}"),
            _ => format!("dir/new {count}/b"),
        };
        let args = json!({"file_path": name, "content": count.to_string()});
        let plan = project.plan("write_file", args).unwrap();
        let effects = plan.effects();
        // What leads out now is asked about, and here nobody says yes.
        if effects.writes.iter().all(|file| workspace.contains(file)) {
            made += usize::from(plan.run(RunContext::default()).await.is_ok());
        } else {
            refused += 1;
        }
    }
    done.store(true, Ordering::Relaxed);
    racer.join().unwrap();
    assert_eq!(outside.names(), ["a", "leaf"]);
    for name in outside.names() {
        assert_eq!(outside.bytes(&name), b"old", "{name}");
    }
    assert!(made > 0 && refused > 0, "{made} made, {refused} refused");
}
