//! What changed in a file, for a person to see.

use std::time::Duration;

use pollux_types::FileChange;
use similar::{ChangeTag, TextDiff, TextDiffConfig};

use crate::lines::cut;

/// Lines of a diff that are shown.
const LINES: usize = 400;
/// Characters shown of one line.
const LINE_CHARS: usize = 2000;
/// After this a diff becomes coarser rather than better.
const TIMEOUT: Duration = Duration::from_millis(500);

/// The change from `old` to `new`; `None` stands for a file that was not there.
pub fn change(path: &str, old: Option<&[u8]>, new: &[u8]) -> FileChange {
    let before = String::from_utf8_lossy(old.unwrap_or_default());
    let after = String::from_utf8_lossy(new);
    let diff = TextDiffConfig::default()
        .timeout(TIMEOUT)
        .diff_lines(&*before, &*after);
    let counted = |tag| {
        diff.iter_all_changes()
            .filter(|change| change.tag() == tag)
            .count()
    };
    // A path outside of the project stays one that nobody takes for another.
    let named = |side: &str| match path.strip_prefix('/') {
        Some(_) => path.to_owned(),
        None => format!("{side}/{path}"),
    };
    let from = old.map_or_else(|| "/dev/null".into(), |_| named("a"));
    FileChange {
        path: path.into(),
        diff: unified(&diff, &from, &named("b")),
        added: counted(ChangeTag::Insert),
        removed: counted(ChangeTag::Delete),
    }
}

/// A change whose lines are not looked at.
pub fn unseen_change(path: &str, why: &str) -> FileChange {
    FileChange {
        path: path.into(),
        diff: format!("[no diff: {why}]\n"),
        added: 0,
        removed: 0,
    }
}

fn unified(diff: &TextDiff<'_, '_, str>, from: &str, to: &str) -> String {
    let whole = diff
        .unified_diff()
        .context_radius(3)
        .header(from, to)
        .to_string();
    // Not `lines`: a carriage return at the end is part of what changes.
    let mut lines = whole.strip_suffix('\n').unwrap_or(&whole).split('\n');
    let mut text = String::new();
    for line in lines.by_ref().take(LINES) {
        let mut line = line.to_owned();
        cut(&mut line, LINE_CHARS, 0);
        text.extend([&line, "\n"]);
    }
    let left_out = lines.count();
    if left_out > 0 {
        text.extend([
            "[",
            &left_out.to_string(),
            " more lines of diff left out]\n",
        ]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_with_its_surroundings() {
        let change = change("f", Some(b"1\n2\n3\n4\n5\n6\n"), b"1\n2\n3\n4\nfive\n6\n");
        insta::assert_snapshot!(change.diff, @"
        --- a/f
        +++ b/f
        @@ -2,5 +2,5 @@
         2
         3
         4
        -5
        +five
         6
        ");
        assert_eq!((change.added, change.removed), (1, 1));
    }

    #[test]
    fn line_ends_are_part_of_a_change() {
        let change = change("f", Some(b"red\n"), b"red\r\n");
        assert!(change.diff.ends_with("-red\n+red\r\n"), "{:?}", change.diff);
    }

    #[test]
    fn a_new_file() {
        let change = change("f", None, b"a\nb");
        insta::assert_snapshot!(change.diff, @r"
        --- /dev/null
        +++ b/f
        @@ -0,0 +1,2 @@
        +a
        +b
        \ No newline at end of file
        ");
        assert_eq!((change.added, change.removed), (2, 0));
    }

    #[test]
    fn a_path_outside_of_the_project_is_shown_as_it_is() {
        let change = change("/etc/f", Some(b"a\n"), b"b\n");
        assert!(
            change.diff.starts_with("--- /etc/f\n+++ /etc/f\n"),
            "{}",
            change.diff
        );
    }

    #[test]
    fn a_long_diff_is_bounded() {
        let new = "x\n".repeat(1000) + &"y".repeat(9000);
        let change = change("f", None, new.as_bytes());
        assert_eq!(change.added, 1001);
        assert_eq!(change.diff.lines().count(), LINES + 1);
        assert!(
            change
                .diff
                .ends_with("\n[605 more lines of diff left out]\n"),
            "{}",
            change.diff
        );
    }
}
