//! What may happen without asking.

use std::fmt;
use std::path::{Path, PathBuf};

use pollux_tools::{Effects, Workspace};

/// How much the user has allowed beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApprovalMode {
    /// Reading inside the project.
    #[default]
    Default,
    /// And changing files inside the project.
    AutoEdit,
    /// Everything.
    Yolo,
}

/// What the policy says to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    /// It needs a person's approval.
    Ask(Why),
}

/// Why a call needs approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Runs,
    ReadsOutside(PathBuf),
    WritesOutside(PathBuf),
    WritesProtected(PathBuf),
    Writes,
}

impl Why {
    /// The flag with which it would have been allowed.
    pub(crate) fn remedy(&self) -> &'static str {
        match self {
            Self::Writes => "`--approval-mode auto-edit`",
            Self::ReadsOutside(_) => "`--include-directories`, or `--approval-mode yolo`,",
            Self::Runs | Self::WritesOutside(_) | Self::WritesProtected(_) => {
                "`--approval-mode yolo`"
            }
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runs => f.write_str("it runs a command"),
            Self::Writes => f.write_str("it changes files"),
            Self::ReadsOutside(path) => {
                write!(f, "it reads `{}`, outside the project", path.display())
            }
            Self::WritesOutside(path) => {
                write!(f, "it changes `{}`, outside the project", path.display())
            }
            Self::WritesProtected(path) => {
                let path = path.display();
                write!(
                    f,
                    "it changes `{path}`, which decides what other programs run"
                )
            }
        }
    }
}

/// Looks at what a call would do, and at nothing else.
pub(crate) fn verdict(mode: ApprovalMode, effects: &Effects, workspace: &Workspace) -> Verdict {
    if mode == ApprovalMode::Yolo {
        return Verdict::Allow;
    }
    if effects.script.is_some() {
        return Verdict::Ask(Why::Runs);
    }
    let outside = |path: &&PathBuf| !workspace.contains(path);
    if let Some(path) = effects.writes.iter().find(outside) {
        return Verdict::Ask(Why::WritesOutside(path.clone()));
    }
    if let Some(path) = effects.reads.iter().find(outside) {
        return Verdict::Ask(Why::ReadsOutside(path.clone()));
    }
    if let Some(path) = effects.writes.iter().find(|path| is_git(path)) {
        return Verdict::Ask(Why::WritesProtected(path.clone()));
    }
    if !effects.writes.is_empty() && mode != ApprovalMode::AutoEdit {
        return Verdict::Ask(Why::Writes);
    }
    Verdict::Allow
}

/// Whether git keeps its hooks and settings there: writing them is running programs later. Links
/// are followed, and case does not count, since some file systems do not care.
fn is_git(path: &Path) -> bool {
    let real = path.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        Some(real.join(path.strip_prefix(above).ok()?))
    });
    let below_git = |path: &Path| {
        let mut parts = path.components();
        parts.any(|part| part.as_os_str().eq_ignore_ascii_case(".git"))
    };
    below_git(path) || real.is_some_and(|real| below_git(&real))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stricter_mode_never_allows_more() {
        let dir = std::env::temp_dir();
        let workspace = Workspace::new(&dir, &[]).unwrap();
        let inside = vec![workspace.root().join("a")];
        let outside = vec![PathBuf::from("/etc/passwd")];
        let git = vec![workspace.root().join("sub/.GIT/hooks/new")];
        let script = || Some("ls".to_owned());
        // Effects, and the least permissive mode that allows them (0 default, 1 auto-edit, 2 yolo).
        let cases = [
            (Effects::default(), 0),
            (
                Effects {
                    reads: inside.clone(),
                    ..Effects::default()
                },
                0,
            ),
            (
                Effects {
                    writes: inside.clone(),
                    ..Effects::default()
                },
                1,
            ),
            (
                Effects {
                    reads: outside.clone(),
                    ..Effects::default()
                },
                2,
            ),
            (
                Effects {
                    writes: outside,
                    ..Effects::default()
                },
                2,
            ),
            (
                Effects {
                    writes: git,
                    ..Effects::default()
                },
                2,
            ),
            (
                Effects {
                    script: script(),
                    ..Effects::default()
                },
                2,
            ),
            (
                Effects {
                    writes: inside,
                    script: script(),
                    ..Effects::default()
                },
                2,
            ),
        ];
        let modes = [
            ApprovalMode::Default,
            ApprovalMode::AutoEdit,
            ApprovalMode::Yolo,
        ];
        for (effects, least) in cases {
            for (level, mode) in modes.into_iter().enumerate() {
                let allowed = verdict(mode, &effects, &workspace) == Verdict::Allow;
                assert_eq!(allowed, level >= least, "{mode:?} {effects:?}");
            }
        }
    }
}
