//! Finding the best rung that holds on this machine, and remembering it.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::Rung;

/// How to find out which rungs hold.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// This program, as it is to be started as the helper.
    pub helper: PathBuf,
    /// Where the result is remembered. No command may write there.
    pub state: PathBuf,
    /// The rungs to try, in order.
    pub rungs: Vec<Rung>,
}

/// What a self-test found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Of which rung.
    pub rung: Rung,
    /// Nothing, or why it does not hold here.
    pub problem: Option<String>,
}

impl Ladder {
    /// Tries all rungs. `scratch` is a directory to try them in.
    pub fn findings(&self, scratch: &Path) -> Vec<Finding> {
        let rungs = self.rungs.iter();
        rungs
            .map(|&rung| Finding {
                rung,
                problem: self.test(rung, scratch).err(),
            })
            .collect()
    }

    /// The first rung that holds, or why none does. Only what held is remembered, and that it held
    /// is no more than a reason not to test it again: a rung that no longer works fails by itself.
    pub(super) fn best(&self, scratch: &Path) -> Result<Rung, String> {
        if let Some(rung) = self.remembered() {
            return Ok(rung);
        }
        let mut problems = Vec::new();
        for &rung in &self.rungs {
            match self.test(rung, scratch) {
                Ok(()) => {
                    self.remember(rung);
                    return Ok(rung);
                }
                Err(problem) => problems.push(format!("{}: {problem}", rung.name())),
            }
        }
        if problems.is_empty() {
            problems.push("nothing was tried".into());
        }
        Err(problems.join("; "))
    }

    #[cfg(target_os = "linux")]
    fn test(&self, rung: Rung, scratch: &Path) -> Result<(), String> {
        let mut private = fs::DirBuilder::new();
        let made = private.recursive(true).mode(0o700).create(&self.state);
        made.map_err(|error| format!("making `{}`: {error}", self.state.display()))?;
        super::selftest::run(&self.helper, rung, scratch, &self.state)
    }

    #[cfg(not(target_os = "linux"))]
    fn test(&self, _rung: Rung, _scratch: &Path) -> Result<(), String> {
        Err("there is no sandbox for this system yet".into())
    }

    fn memory(&self) -> PathBuf {
        self.state.join("sandbox")
    }

    fn remembered(&self) -> Option<Rung> {
        let text = fs::read_to_string(self.memory()).ok()?;
        let (occasion, rung) = text.trim_end().rsplit_once(' ')?;
        let rung = Rung::named(rung).filter(|rung| self.rungs.contains(rung));
        rung.filter(|_| Some(occasion) == self.occasion().as_deref())
    }

    fn remember(&self, rung: Rung) {
        let Some(occasion) = self.occasion() else {
            return;
        };
        // If it cannot be remembered, it is tested again.
        let mut options = fs::OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(self.memory());
        let text = format!("{occasion} {}\n", rung.name());
        file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()))
            .ok();
    }

    /// What a result holds for: this start of the machine, this container, this program, this user,
    /// these rungs.
    fn occasion(&self) -> Option<String> {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let container = fs::read_link("/proc/self/ns/mnt").ok()?;
        let rungs: Vec<_> = self.rungs.iter().map(|rung| rung.name()).collect();
        let helper = fs::metadata(&self.helper).ok()?;
        let user = rustix::process::geteuid().as_raw();
        Some(format!(
            "{} {} {} {}.{}.{} {user} {}",
            boot.trim(),
            container.display(),
            env!("CARGO_PKG_VERSION"),
            helper.len(),
            helper.mtime(),
            helper.mtime_nsec(),
            rungs.join(","),
        ))
    }
}
