//! What git prints, in bounded memory.

use std::io;
use std::path::Path;
use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{ChildStderr, Command};

use super::HardenedGit;
use crate::group::Group;

/// How much of a complaint is kept.
const COMPLAINT: usize = 4096;

/// What git has printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Its beginning.
    pub bytes: Vec<u8>,
    /// That is not all.
    pub cut: bool,
}

impl HardenedGit {
    /// Runs git in `dir`, and keeps at most `limit` bytes of what it prints: with more it is ended.
    /// Whoever gives this up ends it too. An error says what git complains about.
    ///
    /// Not here: whether a subcommand only reads.
    #[expect(
        clippy::disallowed_methods,
        reason = "it has a group of its own, and ends with it"
    )]
    pub async fn print(&self, dir: &Path, args: &[&str], limit: usize) -> io::Result<Printed> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut child = Command::new("git")
            .args(Self::arguments(&args))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let group = Group::led_by(child.id());
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (printed, complaint) = tokio::join!(beginning(stdout, limit), complaint(stderr));
        let printed = printed?;
        if printed.cut {
            group.kill();
            child.wait().await?;
            return Ok(printed);
        }
        let status = child.wait().await?;
        if status.success() {
            return Ok(printed);
        }
        let complaint = String::from_utf8_lossy(&complaint?.bytes).into_owned();
        Err(io::Error::other(complaint.trim().to_owned()))
    }
}

/// The first bytes of what git complains about. The rest is read too: git would die of writing it.
async fn complaint(mut stderr: Option<ChildStderr>) -> io::Result<Printed> {
    let complaint = beginning(stderr.as_mut(), COMPLAINT).await?;
    if let Some(rest) = &mut stderr {
        tokio::io::copy(rest, &mut tokio::io::sink()).await?;
    }
    Ok(complaint)
}

/// The first bytes of a stream.
async fn beginning(stream: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Printed> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        stream.take(most).read_to_end(&mut bytes).await?;
    }
    let cut = bytes.len() > limit;
    bytes.truncate(limit);
    Ok(Printed { bytes, cut })
}
