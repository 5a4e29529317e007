//! All paths of the project, found in the background and kept for the next look.
//!
//! One thread walks, and then waits to be told to walk again: there are no timers and no watches.
//! A watch on each directory of a large project would run into the system's limits, while a walk
//! is over before anybody has typed three letters; and until it is, the last one answers.

use std::fs::FileType;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;

use ignore::{DirEntry, WalkBuilder};

use super::listing::is_presentable;
use super::tree::Tree;

/// How many paths are indexed; a search of so many is still over before anybody notices.
const MOST_PATHS: usize = 150_000;

/// How many paths a first walk finds before it wakes anybody.
const FIRST_PATHS: usize = 1_000;

/// How everything below a directory is gone through that somebody may be shown.
pub type Walk = fn(&Path) -> WalkBuilder;

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Paths, best first. Directories end with a `/`.
    pub paths: Vec<String>,
    /// Whether there may be more: it is still being looked for.
    pub building: bool,
}

/// The paths below a directory.
pub struct FileIndex {
    state: Arc<Mutex<State>>,
    walks: SyncSender<()>,
}

#[derive(Default)]
struct State {
    tree: Tree,
    complete: bool,
}

impl FileIndex {
    /// Begins to index what `walk` finds below `root`. Whenever a search would find something else
    /// than before, `wake` is called, on another thread.
    pub fn start(root: PathBuf, walk: Walk, wake: impl Fn() + Send + 'static) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let (walks, orders) = sync_channel(1);
        let walker = Walker {
            root,
            walk,
            state: Arc::downgrade(&state),
            wake,
        };
        let thread = thread::Builder::new().name("file-index".into());
        if thread.spawn(move || walker.run(&orders)).is_err() {
            // Without a thread there is no index, and nobody waits for it.
            lock(&state).complete = true;
        }
        let index = Self { state, walks };
        index.refresh();
        index
    }

    /// Walks again, unless a walk is waiting already. Until it is over, searches find what was
    /// there before.
    pub fn refresh(&self) {
        // A full channel has the walk that is asked for.
        self.walks.try_send(()).ok();
    }

    /// The paths that fit best so far.
    pub fn search(&self, query: &str, limit: usize) -> Found {
        let state = lock(&self.state);
        Found {
            paths: state.tree.search(query, limit),
            building: !state.complete,
        }
    }
}

/// Whether a path is spelled out from its beginning (`/`, `~/`, `../`): that may lead out of the
/// project, and is for [`Place`](super::Place) to look up.
pub fn is_spelled_out(path: &str) -> bool {
    ["/", "./", "../", "~/"]
        .iter()
        .any(|start| path.starts_with(start))
        || path == "~"
        || path == ".."
}

/// A search that panicked leaves a tree that is whole.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Walker<W> {
    root: PathBuf,
    walk: Walk,
    state: Weak<Mutex<State>>,
    wake: W,
}

impl<W: Fn()> Walker<W> {
    /// Walks as often as it is told to, until nobody asks any more.
    fn run(&self, orders: &Receiver<()>) {
        let mut walk = Self::first_walk as fn(&Self) -> ControlFlow<()>;
        while orders.recv().is_ok() && walk(self).is_continue() {
            walk = Self::next_walk;
        }
    }

    /// Gives out what it finds as it goes, and wakes for twice as much each time, so that the
    /// searches that causes are few.
    fn first_walk(&self) -> ControlFlow<()> {
        let mut next = FIRST_PATHS;
        for entry in self.entries() {
            let count = self.with(|state| add(&mut state.tree, &entry))?;
            if count == next {
                next *= 2;
                (self.wake)();
            }
        }
        self.update(|state| {
            state.tree.shrink();
            state.complete = true;
        })
    }

    fn next_walk(&self) -> ControlFlow<()> {
        let mut tree = Tree::default();
        for entry in self.entries() {
            add(&mut tree, &entry);
            if self.state.strong_count() == 0 {
                return ControlFlow::Break(());
            }
        }
        tree.shrink();
        if self.with(|state| state.tree == tree)? {
            return ControlFlow::Continue(());
        }
        self.update(|state| state.tree = tree)
    }

    /// What is below the root, in the order of names.
    fn entries(&self) -> impl Iterator<Item = DirEntry> + use<W> {
        let mut walk = (self.walk)(&self.root);
        let found = walk.sort_by_file_name(Ord::cmp).build().flatten();
        found.filter(|entry| entry.depth() > 0).take(MOST_PATHS)
    }

    fn update(&self, change: impl FnOnce(&mut State)) -> ControlFlow<()> {
        self.with(change)?;
        (self.wake)();
        ControlFlow::Continue(())
    }

    /// Breaks if the index is gone.
    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> ControlFlow<(), T> {
        match self.state.upgrade() {
            Some(state) => ControlFlow::Continue(f(&mut lock(&state))),
            None => ControlFlow::Break(()),
        }
    }
}

/// Adds what the walk has come to, if it can be named. So many there are then.
fn add(tree: &mut Tree, entry: &DirEntry) -> usize {
    let depth = entry.depth() - 1;
    let is = |test: fn(&FileType) -> bool| entry.file_type().as_ref().is_some_and(test);
    let is_dir = is(FileType::is_dir);
    let name = entry.file_name().to_str().filter(|name| {
        // A directory of the project's own that is called `~` would be taken for home.
        is_presentable(name) && !(is_dir && depth == 0 && *name == "~")
    });
    match name {
        Some(name) if is_dir || is(FileType::is_file) || is(FileType::is_symlink) => {
            tree.push(depth, name, is_dir);
        }
        Some(_) => {}
        None => tree.skip(depth),
    }
    tree.len()
}

#[cfg(test)]
mod tests;
