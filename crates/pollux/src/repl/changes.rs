//! What has changed in the project: since the last commit, or else what the model has edited.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pollux_exec::{HardenedGit, Printed};
use pollux_tui::program::Answer;
use pollux_types::FileChange;
use tokio::time::timeout;

/// How long git may take for all of it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes that git may print.
const PRINTED: usize = 4 * 1024 * 1024;
/// Bytes of a new file that are looked at.
const NEW_FILE: u64 = 1024 * 1024;
/// Lines that are shown of all changes together.
const SHOWN: usize = 1500;

/// Says what differs, whatever the person has set about it.
const DIFF: &[&str] = &[
    "-c",
    "core.quotePath=false",
    "-c",
    "diff.relative=false",
    "diff",
    "--no-renames",
    "--no-color",
    "--src-prefix=a/",
    "--dst-prefix=b/",
];

/// What has changed below `path`, which may be empty. Where there is no git, it is `edits`.
pub(super) async fn report(cwd: &Path, path: &str, edits: Vec<FileChange>) -> Answer {
    match timeout(PATIENCE, since_head(cwd, path)).await {
        Ok(Ok(changes)) => changes.told("since the last commit"),
        Ok(Err(error)) => {
            let below = |edit: &FileChange| Path::new(&edit.path).starts_with(path);
            let all = edits.into_iter().filter(below).collect();
            let (all, secret) = without_secrets(all, cwd);
            let changes = Changes {
                all,
                unread: Vec::new(),
                secret,
            };
            let answer = changes.told("by the model in this session");
            let why = first_line(&error);
            Answer {
                text: format!("git does not tell ({why})\n{}", answer.text),
                ..answer
            }
        }
        Err(_) => Answer {
            text: "git takes too long; name a path".to_owned(),
            ..Answer::default()
        },
    }
}

fn first_line(error: &io::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

struct Changes {
    all: Vec<FileChange>,
    /// Files that have changed too, nobody has read how.
    unread: Vec<String>,
    /// Files that are not shown.
    secret: Vec<String>,
}

async fn since_head(cwd: &Path, path: &str) -> io::Result<Changes> {
    let git = HardenedGit::for_repository(cwd, &std::env::temp_dir()).await?;
    let print = async |args: &[&str]| git.print(cwd, args, PRINTED).await;
    let root = text(&print(&["rev-parse", "--show-toplevel"]).await?);
    let root = PathBuf::from(root.trim_end());
    let head = match print(&["rev-parse", "--verify", "--quiet", "HEAD"]).await {
        Ok(head) => text(&head),
        // Before the first commit there is nothing, which has a name too.
        Err(_) => text(&print(&["hash-object", "-t", "tree", "/dev/null"]).await?),
    };
    let head = head.trim();
    let place = match path {
        "" => ":/".to_owned(),
        path => format!(":(literal){path}"),
    };
    let diff = async |options: &[&str], places: &[String]| {
        let places = places.iter().map(String::as_str);
        let args = DIFF.iter().chain(options).copied().chain([head, "--"]);
        print(&args.chain(places).collect::<Vec<_>>()).await
    };
    let mut places = vec![place.clone()];
    let differing = names(&diff(&["--name-only", "-z"], &places).await?)?;
    let new = [
        "ls-files",
        "--others",
        "--exclude-standard",
        "--full-name",
        "-z",
        "--",
        &place,
    ];
    let new = names(&print(&new).await?)?;
    let is_secret = |name: &String| pollux_shell::is_secret(&root.join(name));
    let (mut secret, differing): (Vec<_>, Vec<_>) = differing.into_iter().partition(is_secret);
    let (hidden, new): (Vec<_>, Vec<_>) = new.into_iter().partition(is_secret);
    let without = |name: &String| format!(":(top,exclude,literal){name}");
    places.extend(secret.iter().map(without));
    let (mut all, unread) = read(&diff(&[], &places).await?, differing);
    all.extend(new.iter().map(|name| added(&root, name)));
    secret.extend(hidden);
    Ok(Changes {
        all,
        unread,
        secret,
    })
}

/// The changes of these files as git prints them, and the files of which it has not printed all.
fn read(printed: &Printed, mut names: Vec<String>) -> (Vec<FileChange>, Vec<String>) {
    let mut all = by_file(&text(printed));
    if !printed.cut {
        return (all, Vec::new());
    }
    all.pop();
    // They are printed in the order in which they were named.
    let unread = names.split_off(all.len().min(names.len()));
    (all, unread)
}

fn text(printed: &Printed) -> String {
    String::from_utf8_lossy(&printed.bytes).into_owned()
}

/// What stands between zeros. Where some are missing, nobody knows which of them are secret.
fn names(printed: &Printed) -> io::Result<Vec<String>> {
    if printed.cut {
        return Err(io::Error::other("too much has changed; name a path"));
    }
    let text = text(printed);
    let names = text.split('\0').filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

/// The changes of each file in what git prints. No line of a file begins like their heads.
fn by_file(text: &str) -> Vec<FileChange> {
    let mut files: Vec<FileChange> = Vec::new();
    // A line of a file may look like a name, but stands below an `@@`.
    let mut below = false;
    for line in text.split_inclusive('\n') {
        if let Some(names) = line.strip_prefix("diff --git ") {
            below = false;
            files.push(FileChange {
                path: name_in(names.trim_end_matches('\n')).to_owned(),
                diff: String::new(),
                added: 0,
                removed: 0,
            });
        } else if let Some(file) = files.last_mut().filter(|_| !line.starts_with("index ")) {
            file.added += usize::from(below && line.starts_with('+'));
            file.removed += usize::from(below && line.starts_with('-'));
            below |= line.starts_with("@@");
            file.diff.push_str(line);
        }
    }
    files
}

/// The name in `a/NAME b/NAME`: it may have spaces, but it is the same twice. Strange ones are in
/// quotes.
fn name_in(names: &str) -> &str {
    let name = names.get(names.len() / 2 + 1..).unwrap_or(names);
    let quoted = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'));
    let name = quoted.unwrap_or(name);
    name.strip_prefix("b/").unwrap_or(name)
}

/// A file that git does not know yet.
fn added(root: &Path, name: &str) -> FileChange {
    let read = || -> io::Result<Option<Vec<u8>>> {
        let path = root.join(name);
        if !path.symlink_metadata()?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path)?;
        file.take(NEW_FILE + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    };
    let unseen = |why: &str| pollux_tools::unseen_change(name, &format!("{name} is new, {why}"));
    match read() {
        Err(error) => unseen(&format!("and cannot be read: {error}")),
        Ok(None) => unseen("and no plain file"),
        Ok(Some(bytes)) if bytes.len() as u64 > NEW_FILE => unseen("and large"),
        Ok(Some(bytes)) if bytes.contains(&0) => unseen("and no text"),
        Ok(Some(bytes)) => pollux_tools::change(name, None, &bytes),
    }
}

fn without_secrets(all: Vec<FileChange>, cwd: &Path) -> (Vec<FileChange>, Vec<String>) {
    let is_secret = |change: &FileChange| pollux_shell::is_secret(&cwd.join(&change.path));
    let (secret, all): (Vec<_>, Vec<_>) = all.into_iter().partition(is_secret);
    (all, secret.into_iter().map(|change| change.path).collect())
}

impl Changes {
    /// As many as somebody could read, and what is left out.
    fn told(self, when: &str) -> Answer {
        let Self {
            mut all,
            unread,
            secret,
        } = self;
        let sum = |count: fn(&FileChange) -> usize| all.iter().map(count).sum::<usize>();
        let (added, removed) = (sum(|change| change.added), sum(|change| change.removed));
        let more = if unread.is_empty() { "" } else { " and more" };
        let mut text = match all.len() + unread.len() {
            0 => format!("nothing has changed {when}"),
            1 => format!("1 file changed {when} (+{added} -{removed}{more})"),
            files => format!("{files} files changed {when} (+{added} -{removed}{more})"),
        };
        let mut room = SHOWN;
        let fits = all.iter().take_while(|change| {
            let left = room.checked_sub(change.diff.lines().count());
            left.inspect(|left| room = *left).is_some()
        });
        // One that is too long by itself is cut where it is shown.
        let fits = fits.count().max(1);
        let more: Vec<FileChange> = all.split_off(fits.min(all.len()));
        let more = more.into_iter().map(|change| change.path);
        let unshown: Vec<String> = more.chain(unread).collect();
        for (files, why) in [
            (listed(&unshown), "too much to show"),
            (listed(&secret), "may hold secrets"),
        ] {
            if let Some(files) = files {
                text.extend(["\nleft out, ", why, ": ", &files]);
            }
        }
        Answer {
            changes: all,
            text,
            ..Answer::default()
        }
    }
}

/// Some names, and how many more there are.
fn listed(names: &[impl AsRef<str>]) -> Option<String> {
    const NAMED: usize = 10;
    let first: Vec<&str> = names.iter().take(NAMED).map(AsRef::as_ref).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!first.is_empty()).then(|| first.join(", ") + &more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_prints_is_taken_apart() {
        let printed = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n\
                       diff --git a/y z b/y z\nnew file mode 100755\n";
        let files = by_file(printed);
        assert_eq!(
            (files[0].path.as_str(), files[1].path.as_str()),
            ("x", "y z")
        );
        assert_eq!((files[0].added, files[0].removed), (2, 1));
        assert!(files[0].diff.starts_with("--- a/x\n"), "{}", files[0].diff);
        assert_eq!(files[1].diff, "new file mode 100755\n");
    }

    #[test]
    fn lines_that_look_like_names_are_lines() {
        let printed = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- x\n-- y\n+++ z\n";
        let file = by_file(printed).remove(0);
        assert_eq!((file.added, file.removed), (1, 2));
    }

    #[test]
    fn names_are_what_they_are() {
        assert_eq!(name_in("a/x b/y b/x b/y"), "x b/y");
        assert_eq!(name_in("a/x  b/x "), "x ");
        assert_eq!(name_in(r#""a/\t\"" "b/\t\"""#), r#"\t\""#);
        assert_eq!(name_in("a/grün b/grün"), "grün");
        assert_eq!(name_in(""), "");
    }

    #[test]
    fn what_git_did_not_get_to_is_named() {
        let cut = |cut| Printed {
            bytes: b"diff --git a/x b/x\n@@ -1 +1 @@\n+x\ndiff --git a/y b/y\n@@ -1 +1 @@\n+y"
                .into(),
            cut,
        };
        let names = || ["x", "y", "z"].map(str::to_owned).to_vec();
        let (all, unread) = read(&cut(true), names());
        assert_eq!((all.len(), &unread[..]), (1, &names()[1..]));
        let changes = Changes {
            all,
            unread,
            secret: Vec::new(),
        };
        insta::assert_snapshot!(changes.told("now").text, @"
        3 files changed now (+1 -0 and more)
        left out, too much to show: y, z
        ");
        let (all, unread) = read(&cut(false), names());
        assert_eq!((all.len(), unread.len()), (2, 0));
    }

    #[test]
    fn what_nobody_could_read_is_named() {
        let change = |path: &str, lines: usize| FileChange {
            path: path.into(),
            diff: "+x\n".repeat(lines),
            added: lines,
            removed: 0,
        };
        let changes = Changes {
            all: vec![change("a", 1000), change("b", 1000), change("c", 1)],
            unread: Vec::new(),
            secret: vec![".env".into()],
        };
        let answer = changes.told("now");
        assert_eq!(answer.changes.len(), 1);
        insta::assert_snapshot!(answer.text, @"
        3 files changed now (+2001 -0)
        left out, too much to show: b, c
        left out, may hold secrets: .env
        ");
    }
}
