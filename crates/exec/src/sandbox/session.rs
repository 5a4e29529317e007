//! The directories that belong to one session's commands.

mod removal;

use std::ffi::CStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, fstat, openat, unlinkat};
use rustix::process::{Uid, geteuid};
use tempfile::TempDir;

const PREFIX: &str = "pollux-";
/// A file in each of them, locked for as long as its session lives.
const ALIVE: &CStr = c"alive";

/// A directory that nobody else uses, removed with everything in it at the end.
#[derive(Debug)]
pub(super) struct Session {
    dir: TempDir,
    /// Let go when the directory is gone. Not every file system has locks; what is left behind
    /// there stays.
    _alive: Option<File>,
}

impl Session {
    pub(super) fn new(temp: &Path) -> io::Result<Self> {
        // Links resolved, so that what commands are shown is what the system says.
        let temp = temp.canonicalize()?;
        let session = Self::begun(private(&temp)?)?;
        // What others have left behind is nothing to wait for.
        sweep_meanwhile(thread::Builder::new().name("sweep".into()), temp);
        Ok(session)
    }

    fn begun(dir: TempDir) -> io::Result<Self> {
        fs::create_dir(dir.path().join("tmp"))?;
        fs::create_dir(dir.path().join("caches"))?;
        let alive = locked(dir.path()).ok();
        Ok(Self { dir, _alive: alive })
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The directory itself goes with what made it, and whatever is left with it.
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let dir = openat(CWD, self.path(), flags, Mode::empty());
        dir.and_then(|dir| removal::empty(dir, Some(ALIVE))).ok();
    }
}

/// A new directory that only its owner may look into.
fn private(temp: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix(PREFIX)
        .permissions(fs::Permissions::from_mode(0o700))
        .tempdir_in(temp)
}

/// Says that the session of `dir` lives. The file has its lock before it has its name, so that nobody
/// finds it without.
fn locked(dir: &Path) -> io::Result<File> {
    let new = dir.join("new");
    let alive = File::create_new(&new)?;
    alive.lock()?;
    fs::rename(new, dir.join("alive"))?;
    Ok(alive)
}

/// Where no thread is to be had, the next session sweeps.
fn sweep_meanwhile(thread: thread::Builder, temp: PathBuf) {
    thread.spawn(move || sweep(&temp, geteuid())).ok();
}

/// Removes the directories in `temp` whose sessions could not do it themselves: a pollux that is
/// killed removes nothing. **Invariant:** never one whose pollux lives, which holds its lock, and
/// nothing in one that is not `owner`'s alone: others could lead astray whoever works there.
fn sweep(temp: &Path, owner: Uid) -> io::Result<()> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let temp = openat(CWD, temp, flags, Mode::empty())?;
    let mut entries = Dir::read_from(&temp)?;
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_bytes().starts_with(PREFIX.as_bytes()) {
            // What cannot be removed is somebody else's, or tried again another time.
            remove_if_dead(&temp, name, owner).ok();
        }
    }
    Ok(())
}

fn remove_if_dead(temp: &OwnedFd, name: &CStr, owner: Uid) -> io::Result<()> {
    let dir = removal::directory(temp, name)?;
    let found = fstat(&dir)?;
    let mode = Mode::from_raw_mode(found.st_mode);
    let is_private = mode & (Mode::RWXU | Mode::RWXG | Mode::RWXO) == Mode::RWXU;
    if found.st_uid != owner.as_raw() || !is_private {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // Whatever else stands there under that name, it is not followed and not waited for.
    let careful = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let alive = File::from(openat(&dir, ALIVE, careful, Mode::empty())?);
    alive.try_lock()?;
    // The lock goes last: where this does not come to its end, the next sweep goes on with what is
    // left. Only between the last two steps that leaves something for good, an empty directory.
    removal::empty(dir.try_clone()?, Some(ALIVE))?;
    unlinkat(&dir, ALIVE, AtFlags::empty())?;
    Ok(unlinkat(temp, name, AtFlags::REMOVEDIR)?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// What a pollux that is killed leaves behind: its lock is gone with it.
    fn left_behind(temp: &Path) -> PathBuf {
        let dir = private(temp).unwrap().keep();
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
        // One that does not sweep itself, while this test has not made everything yet.
        let lives = Session::begun(private(temp.path()).unwrap()).unwrap();
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
        sweep(temp.path(), geteuid()).unwrap();
        assert!(dead.iter().all(|dir| !dir.exists()));
        for dir in [lives.path(), &unlocked, &other, &link, &linked] {
            assert!(dir.exists(), "{}", dir.display());
        }
        let path = lives.path().to_owned();
        drop(lives);
        assert!(!path.exists());
    }

    /// Whoever may write to `/tmp` can leave there what looks like ours, with links in it.
    #[test]
    fn links_in_what_is_swept_lead_nowhere() {
        let temp = tempfile::tempdir().unwrap();
        let victim = temp.path().join("victim");
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("file"), "x").unwrap();
        fs::set_permissions(&victim, fs::Permissions::from_mode(0o755)).unwrap();
        let evil = left_behind(temp.path());
        fs::create_dir_all(evil.join("caches/a/work")).unwrap();
        symlink(&victim, evil.join("caches/a/work/work")).unwrap();
        symlink(&victim, evil.join("tmp/link")).unwrap();
        sweep(temp.path(), geteuid()).unwrap();
        assert!(!evil.exists());
        assert!(victim.join("file").exists());
        let mode = fs::metadata(&victim).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
    }

    #[test]
    fn what_is_not_the_owners_alone_is_left_as_it_is() {
        let temp = tempfile::tempdir().unwrap();
        let of_others = left_behind(temp.path());
        let stranger = Uid::from_raw(geteuid().as_raw() + 1);
        sweep(temp.path(), stranger).unwrap();
        assert!(of_others.join("tmp/big").exists());
        let open = left_behind(temp.path());
        fs::set_permissions(&open, fs::Permissions::from_mode(0o770)).unwrap();
        sweep(temp.path(), geteuid()).unwrap();
        assert!(open.join("tmp/big").exists());
        assert!(!of_others.exists());
    }

    #[test]
    fn what_was_swept_by_half_is_swept_for_good_the_next_time() {
        let temp = tempfile::tempdir().unwrap();
        for left in [&[][..], &["tmp"], &["caches"]] {
            let dir = private(temp.path()).unwrap().keep();
            for name in left {
                fs::create_dir(dir.join(name)).unwrap();
            }
            drop(locked(&dir).unwrap());
            sweep(temp.path(), geteuid()).unwrap();
            assert!(!dir.exists(), "{left:?}");
        }
    }

    /// As where the file system has no locks: nobody takes it for dead either.
    #[test]
    fn a_session_without_a_lock_begins_and_is_not_swept() {
        let temp = tempfile::tempdir().unwrap();
        let dir = private(temp.path()).unwrap();
        fs::create_dir(dir.path().join("new")).unwrap();
        locked(dir.path()).unwrap_err();
        let session = Session::begun(dir).unwrap();
        sweep(temp.path(), geteuid()).unwrap();
        assert!(session.path().join("tmp").exists());
        let path = session.path().to_owned();
        drop(session);
        assert!(!path.exists());
    }

    #[test]
    fn where_no_thread_is_to_be_had_nothing_is_swept_and_nothing_fails() {
        let temp = tempfile::tempdir().unwrap();
        let dead = left_behind(temp.path());
        // More than any machine has.
        let thread = thread::Builder::new().stack_size(1 << 60);
        sweep_meanwhile(thread, temp.path().to_owned());
        assert!(dead.exists());
    }

    #[test]
    fn whoever_begins_while_others_sweep_keeps_what_is_theirs() {
        let temp = tempfile::tempdir().unwrap();
        let begin = || {
            for _ in 0..50 {
                left_behind(temp.path());
                let session = Session::new(temp.path()).unwrap();
                sweep(temp.path(), geteuid()).unwrap();
                assert!(session.path().join("tmp").exists());
                assert!(session.path().join("alive").exists());
            }
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(begin);
            }
        });
    }
}
