//! Caches of build tools: read by commands, changed for themselves alone.
//!
//! A build fills them as it goes, and must find again what it put there. But other projects are
//! built from them, without a sandbox, so what a command puts there stays in a layer of the
//! session's own.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, mount};

use super::SandboxPolicy;

/// Lays the session's changes over the caches. Those where that does not work stay read-only,
/// which tools can live with.
pub(super) fn overlay(policy: &SandboxPolicy) -> Vec<PathBuf> {
    let caches = policy.caches.iter().enumerate();
    caches
        .filter(|(at, cache)| {
            let layer = policy.cache_changes.join(at.to_string());
            overlay_one(cache, &layer).is_some()
        })
        .map(|(_, cache)| cache.clone())
        .collect()
}

fn overlay_one(cache: &Path, layer: &Path) -> Option<()> {
    let (upper, work) = (layer.join("upper"), layer.join("work"));
    fs::create_dir_all(&upper).ok()?;
    fs::create_dir_all(&work).ok()?;
    let mut options = b"userxattr".to_vec();
    for (name, path) in [
        (",lowerdir=", cache),
        (",upperdir=", &upper),
        (",workdir=", &work),
    ] {
        let path = path.as_os_str().as_bytes();
        if path.iter().any(|byte| b",:\\\"".contains(byte)) {
            return None;
        }
        options.extend([name.as_bytes(), path].concat());
    }
    let options = std::ffi::CString::new(options).ok()?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("overlay", cache, "overlay", flags, Some(options.as_c_str())).ok()
}
