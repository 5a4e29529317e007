//! The directories that belong to one session's commands.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;
use tempfile::TempDir;

const PREFIX: &str = "pollux-";
/// A file in each of them, locked for as long as its session lives.
const ALIVE: &str = "alive";

/// A directory that nobody else uses, removed with everything in it at the end.
#[derive(Debug)]
pub(super) struct Session {
    dir: TempDir,
    /// Let go when the directory is gone.
    _alive: File,
}

impl Session {
    pub(super) fn new(temp: &Path) -> io::Result<Self> {
        // Links resolved, so that what commands are shown is what the system says.
        let temp = temp.canonicalize()?;
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&temp)?;
        fs::create_dir(dir.path().join("tmp"))?;
        fs::create_dir(dir.path().join("caches"))?;
        let alive = locked(dir.path())?;
        // What others have left behind is nothing to wait for.
        std::thread::spawn(move || sweep(&temp));
        Ok(Self { dir, _alive: alive })
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        open_layers(self.path());
    }
}

/// Says that the session of `dir` lives. The file has its lock before it has its name, so that nobody
/// finds it without.
fn locked(dir: &Path) -> io::Result<File> {
    let new = dir.join("new");
    let alive = File::create_new(&new)?;
    alive.lock()?;
    fs::rename(new, dir.join(ALIVE))?;
    Ok(alive)
}

/// Layers over caches leave directories that not even their owner may read.
fn open_layers(dir: &Path) {
    let layers = fs::read_dir(dir.join("caches")).into_iter().flatten();
    for layer in layers.flatten() {
        let work = layer.path().join("work/work");
        fs::set_permissions(work, fs::Permissions::from_mode(0o700)).ok();
    }
}

/// Removes the directories in `temp` whose sessions could not do it themselves: a pollux that is
/// killed removes nothing. **Invariant:** never one whose pollux lives, which holds its lock.
fn sweep(temp: &Path) {
    for entry in fs::read_dir(temp).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // Of a link this says that it is one.
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_named && is_dir {
            // What cannot be removed is somebody else's, or tried again another time.
            remove_if_dead(&entry.path()).ok();
        }
    }
}

fn remove_if_dead(dir: &Path) -> io::Result<()> {
    // Whatever else stands there under that name, it is not followed and not waited for.
    let careful = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let alive = File::options()
        .read(true)
        .custom_flags(careful.bits().cast_signed())
        .open(dir.join(ALIVE))?;
    alive.try_lock()?;
    open_layers(dir);
    // The lock goes last: where this does not come to its end, somebody else finds the rest.
    fs::remove_dir_all(dir.join("tmp"))?;
    fs::remove_dir_all(dir.join("caches"))?;
    fs::remove_dir_all(dir)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    /// What a pollux that is killed leaves behind: its lock is gone with it.
    fn left_behind(temp: &Path) -> PathBuf {
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(temp);
        let dir = dir.unwrap().keep();
        let work = dir.join("caches/layer/work/work");
        fs::create_dir_all(&work).unwrap();
        fs::set_permissions(&work, fs::Permissions::from_mode(0o000)).unwrap();
        fs::create_dir(dir.join("tmp")).unwrap();
        fs::write(dir.join("tmp/big"), "x").unwrap();
        drop(locked(&dir).unwrap());
        dir
    }

    #[test]
    fn what_the_dead_have_left_is_swept_and_nothing_else() {
        let temp = tempfile::tempdir().unwrap();
        let lives = Session::new(temp.path()).unwrap();
        let dead = [left_behind(temp.path()), left_behind(temp.path())];
        let unlocked = temp.path().join("pollux-x");
        let other = temp.path().join("other");
        let link = temp.path().join("pollux-link");
        for dir in [&unlocked, &other] {
            fs::create_dir(dir).unwrap();
        }
        let elsewhere = tempfile::tempdir().unwrap();
        let linked = left_behind(elsewhere.path());
        symlink(&linked, &link).unwrap();
        sweep(temp.path());
        assert!(dead.iter().all(|dir| !dir.exists()));
        for dir in [lives.path(), &unlocked, &other, &link, &linked] {
            assert!(dir.exists(), "{}", dir.display());
        }
        let path = lives.path().to_owned();
        drop(lives);
        assert!(!path.exists());
    }

    #[test]
    fn whoever_begins_while_others_sweep_keeps_what_is_theirs() {
        let temp = tempfile::tempdir().unwrap();
        let begin = || {
            for _ in 0..50 {
                left_behind(temp.path());
                let session = Session::new(temp.path()).unwrap();
                sweep(temp.path());
                assert!(session.path().join("tmp").exists());
                assert!(session.path().join(ALIVE).exists());
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(begin);
            }
        });
    }
}
