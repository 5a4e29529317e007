//! What may happen without asking.

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
    /// It needs a person's approval; why.
    Ask(String),
}

/// Looks at what a call would do, and at nothing else.
pub(crate) fn verdict(mode: ApprovalMode, effects: &Effects, workspace: &Workspace) -> Verdict {
    if mode == ApprovalMode::Yolo {
        return Verdict::Allow;
    }
    if effects.script.is_some() {
        return Verdict::Ask("it runs a command".into());
    }
    let outside = |path: &&std::path::PathBuf| !workspace.contains(path);
    if let Some(path) = effects.writes.iter().find(outside) {
        return Verdict::Ask(format!(
            "it changes `{}`, outside the project",
            path.display()
        ));
    }
    if let Some(path) = effects.reads.iter().find(outside) {
        return Verdict::Ask(format!(
            "it reads `{}`, outside the project",
            path.display()
        ));
    }
    if !effects.writes.is_empty() && mode != ApprovalMode::AutoEdit {
        return Verdict::Ask("it changes files".into());
    }
    Verdict::Allow
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stricter_mode_never_allows_more() {
        let dir = std::env::temp_dir();
        let workspace = Workspace::new(&dir, &[]).unwrap();
        let inside = vec![workspace.root().join("a")];
        let outside = vec![std::path::PathBuf::from("/etc/passwd")];
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
