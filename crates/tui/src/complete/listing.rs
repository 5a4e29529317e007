//! What is in one directory, for paths that are spelled out from their beginning.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use pollux_types::untrusted::visible;

use super::Found;
use super::ranking::rank;

/// How long somebody waits for a directory. Nearly all are there at once, and the menu does not
/// flicker.
const PATIENCE: Duration = Duration::from_millis(20);

/// How many entries of a directory are looked at.
const MOST_ENTRIES: usize = 10_000;

/// Where paths begin.
#[derive(Clone, Debug)]
pub struct Place {
    /// The directory that relative ones are in.
    pub root: PathBuf,
    /// What `~/` stands for, if it is known.
    pub home: Option<PathBuf>,
}

impl Place {
    /// The entries of a directory that fit the beginning of a path, best first. Directories end
    /// with a `/`. Hidden ones are there only for who asks for them by a dot.
    pub fn list(&self, beginning: &str, limit: usize) -> Vec<String> {
        if beginning == "~" || beginning == ".." {
            return vec![format!("{beginning}/")];
        }
        let (above, name) = beginning.split_at(beginning.rfind('/').map_or(0, |slash| slash + 1));
        let Some(dir) = self.resolved(above) else {
            return Vec::new();
        };
        let names = names(&dir, name.starts_with('.'));
        let best = rank(name, names.iter().map(String::as_str), limit);
        let path = |number: usize| {
            let name = &names[number];
            // Alone they would mean something else.
            let here = if above.is_empty() && name.starts_with(['-', '~']) {
                "./"
            } else {
                above
            };
            let end = if dir.join(name).is_dir() { "/" } else { "" };
            format!("{here}{name}{end}")
        };
        best.into_iter().map(path).collect()
    }

    fn resolved(&self, dir: &str) -> Option<PathBuf> {
        match dir.strip_prefix("~/") {
            Some(below) => Some(self.home.as_ref()?.join(below)),
            None => Some(self.root.join(dir)),
        }
    }
}

/// Lists directories on a thread of its own: one may be on a machine that does not answer.
pub struct Listings {
    orders: Sender<Order>,
    /// What is still being listed, for the beginning of this path.
    awaited: Option<(String, Receiver<Vec<String>>)>,
}

struct Order {
    beginning: String,
    reply: Sender<Vec<String>>,
    /// Nobody waits for it any more, and somebody is to be woken.
    left: Arc<AtomicBool>,
}

impl Listings {
    /// Lists what `list` does. Whenever a list is there for which nobody has waited, `wake` is
    /// called, on another thread.
    pub fn start(
        list: impl Fn(&str) -> Vec<String> + Send + 'static,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (orders, taken) = channel::<Order>();
        let serve = move || {
            while let Ok(order) = taken.recv() {
                // What was asked for before is not wanted any more.
                let order = taken.try_iter().last().unwrap_or(order);
                order.reply.send(list(&order.beginning)).ok();
                if order.left.load(Ordering::SeqCst) {
                    wake();
                }
            }
        };
        // Without a thread nobody takes orders, and nothing is found.
        thread::Builder::new()
            .name("listings".into())
            .spawn(serve)
            .ok();
        Self {
            orders,
            awaited: None,
        }
    }

    /// The paths that begin like this, as far as they are known by now.
    pub fn look(&mut self, beginning: &str) -> Found {
        let listed = match &self.awaited {
            Some((of, reply)) if of == beginning => reply.try_recv().ok(),
            _ => self.order(beginning),
        };
        let building = listed.is_none() && self.awaited.is_some();
        if !building {
            self.awaited = None;
        }
        Found {
            paths: listed.unwrap_or_default(),
            building,
        }
    }

    /// Orders a list, and waits for a moment.
    fn order(&mut self, beginning: &str) -> Option<Vec<String>> {
        let (reply, listed) = channel();
        let left = Arc::new(AtomicBool::new(false));
        let order = Order {
            beginning: beginning.to_owned(),
            reply,
            left: Arc::clone(&left),
        };
        self.awaited = None;
        self.orders.send(order).ok()?;
        let in_time = listed.recv_timeout(PATIENCE).ok();
        left.store(true, Ordering::SeqCst);
        // It may have come just before that, and nobody wakes then.
        let in_time = in_time.or_else(|| listed.try_recv().ok());
        self.awaited = Some((beginning.to_owned(), listed));
        in_time
    }
}

/// Whether a name can be shown and typed as it is. Those with control characters or invisible
/// ones cannot, and are not offered.
pub(super) fn is_presentable(name: &str) -> bool {
    !name.contains(['\n', '\t']) && visible(name) == name
}

/// Sorted names of what is in `dir`; those that begin with a dot only if they are wanted.
fn names(dir: &Path, hidden: bool) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let names = entries.take(MOST_ENTRIES).flatten();
    let mut names: Vec<String> = names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_presentable(name) && (hidden || !name.starts_with('.')))
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Place) {
        let dir = tempfile::tempdir().unwrap();
        for file in [
            "project/src/main.rs",
            "project/src/make.rs",
            "project/.env",
            "project/-flag",
            "project/evil\u{202e}name",
            "home/notes.md",
        ] {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let place = Place {
            root: dir.path().join("project"),
            home: Some(dir.path().join("home")),
        };
        (dir, place)
    }

    #[test]
    fn a_directory_is_listed_by_the_beginning_of_a_path() {
        let (dir, place) = place();
        std::os::unix::fs::symlink("src", place.root.join("link")).unwrap();
        let cases: [(&str, &[&str]); 10] = [
            ("", &["./-flag", "link/", "src/"]),
            ("s", &["src/"]),
            (".", &[".env"]),
            ("src/ma", &["src/main.rs", "src/make.rs"]),
            ("src/none", &[]),
            ("none/", &[]),
            ("../h", &["../home/"]),
            ("~/", &["~/notes.md"]),
            ("~", &["~/"]),
            ("..", &["../"]),
        ];
        for (beginning, expected) in cases {
            assert_eq!(place.list(beginning, 9), expected, "{beginning:?}");
        }
        let absolute = dir.path().join("project/src/mak");
        let found = place.list(absolute.to_str().unwrap(), 9);
        assert_eq!(found, [format!("{}e.rs", absolute.display())]);
        assert_eq!(place.list("src/m", 1).len(), 1);
    }

    #[test]
    fn nobody_waits_for_a_directory_that_does_not_answer() {
        let (answer, answers) = channel::<()>();
        let (woken, wakes) = channel();
        let list = move |beginning: &str| {
            if beginning.starts_with("slow/") {
                answers.recv().ok();
            }
            vec![format!("{beginning}x")]
        };
        let mut listings = Listings::start(list, move || woken.send(()).unwrap_or_default());
        let found = |paths: &[&str], building| Found {
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            building,
        };
        assert_eq!(listings.look("slow/a"), found(&[], true));
        assert_eq!(listings.look("slow/a"), found(&[], true));
        assert_eq!(listings.look("slow/b"), found(&[], true));
        for _ in 0..2 {
            answer.send(()).unwrap();
            wakes.recv_timeout(Duration::from_mins(1)).unwrap();
        }
        assert_eq!(listings.look("slow/b"), found(&["slow/bx"], false));
        // What has been found is looked for anew the next time, as files come and go.
        assert_eq!(listings.look("slow/b"), found(&[], true));
    }

    #[test]
    fn without_a_home_there_is_nothing_in_it() {
        let (_dir, mut place) = place();
        place.home = None;
        assert!(place.list("~/", 9).is_empty());
    }
}
