//! What a command really touches: the files that it names, with all links followed.
//!
//! Reading the text of a command is not enough: a name in the project may lead anywhere, a pattern
//! may mean a link, and a search reads what nobody names.

use std::fs;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;
use pollux_shell::{Named, Search, Use};

use crate::Located;

/// More files than this are not looked at.
const MOST: usize = 100_000;

/// A file, and what is done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Which one.
    pub file: Located,
    /// Its content becomes known, or may.
    pub is_read: bool,
    /// It is changed, or may be.
    pub is_written: bool,
    /// Nobody named it: it lies below a directory that is searched.
    pub is_swept: bool,
}

/// What was found of the files that a command names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// All that it names, and of what it searches that in which there is interest.
    pub touched: Vec<Touched>,
    /// There are too many to look at them all.
    pub is_partial: bool,
    count: usize,
}

impl Found {
    /// Follows all that a command names. Of a directory that it searches, links count, and files
    /// of interest.
    pub fn follow(named: &[Named], is_of_interest: &dyn Fn(&Path) -> bool) -> Self {
        let mut found = Self::default();
        for Named { path, done } in named {
            for path in found.meant(path) {
                let file = Located::of(path);
                if let Use::Searches(search) = done {
                    found.sweep(&file.real, search, is_of_interest);
                }
                found.touched.push(Touched {
                    file,
                    is_read: !matches!(done, Use::Looks | Use::Writes),
                    is_written: matches!(done, Use::Writes | Use::Anything),
                    is_swept: false,
                });
            }
        }
        found
    }

    /// What `path` may mean: itself, and what its patterns match.
    fn meant(&mut self, path: &Path) -> Vec<PathBuf> {
        let is_pattern = |part: &str| part.contains(['*', '?', '[']);
        let mut places = vec![PathBuf::new()];
        let mut has_any = false;
        for part in path.components() {
            let name = part.as_os_str().to_string_lossy();
            if is_pattern(&name) {
                has_any = true;
                let pattern = glob(&name);
                places = places
                    .iter()
                    .flat_map(|dir| self.entries(dir))
                    .filter(|path| means(pattern.as_ref(), path, true))
                    .collect();
            } else {
                for place in &mut places {
                    place.push(part);
                }
            }
        }
        if has_any {
            places.push(path.to_owned());
        }
        places
    }

    fn entries(&mut self, dir: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        let room = MOST.saturating_sub(self.count);
        let entries: Vec<_> = entries.map(|entry| entry.path()).take(room).collect();
        self.counts(entries.len());
        entries
    }

    fn counts(&mut self, more: usize) {
        self.count += more;
        self.is_partial |= self.count >= MOST;
    }

    /// What a search below `dir` would look at.
    fn sweep(&mut self, dir: &Path, search: &Search, is_of_interest: &dyn Fn(&Path) -> bool) {
        let globs = |patterns: &[String]| -> Vec<_> { patterns.iter().map(|p| glob(p)).collect() };
        let only = globs(&search.only);
        let (files, dirs) = (globs(&search.except_files), globs(&search.except_dirs));
        let is_left_out = move |path: &Path, is_dir: bool| {
            let mut except = if is_dir { dirs.iter() } else { files.iter() };
            except.any(|pattern| means(pattern.as_ref(), path, false))
        };
        let walk = WalkBuilder::new(dir)
            .standard_filters(search.skips_hidden)
            .follow_links(search.follows)
            .filter_entry(move |entry| {
                let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
                entry.depth() == 0 || !is_left_out(entry.path(), is_dir)
            })
            .build();
        for entry in walk.flatten().filter(|entry| entry.depth() > 0) {
            self.counts(1);
            if self.is_partial {
                break;
            }
            let path = entry.path();
            let is_asked = only.is_empty()
                || only
                    .iter()
                    .any(|pattern| means(pattern.as_ref(), path, true));
            let is_link = entry.path_is_symlink();
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_told = is_asked && !is_dir && is_of_interest(path) && !is_link;
            if is_told || is_link && search.follows && (is_asked || is_dir) {
                self.touched.push(Touched {
                    file: Located::of(path.to_owned()),
                    is_read: true,
                    is_written: false,
                    is_swept: true,
                });
            }
        }
    }
}

/// A pattern for names; `None` if it is none that is understood.
fn glob(pattern: &str) -> Option<GlobMatcher> {
    let pattern = pattern.trim_start_matches("**/");
    let is_name = !pattern.contains('/');
    let glob = GlobBuilder::new(pattern).build().ok()?;
    is_name.then(|| glob.compile_matcher())
}

/// Whether a pattern means the file at `path`; what is not understood is `unknown`.
fn means(pattern: Option<&GlobMatcher>, path: &Path, unknown: bool) -> bool {
    let name = path.file_name().unwrap_or_default();
    pattern.map_or(unknown, |pattern| pattern.is_match(name))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn names_patterns_and_searches_are_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("sub/.hidden")).unwrap();
        for file in ["a.txt", "sub/.env", "sub/.hidden/.env", "sub/x.pem"] {
            fs::write(root.join(file), "").unwrap();
        }
        symlink("/etc/hosts", root.join("link.txt")).unwrap();
        symlink("/etc/hosts", root.join("sub/out")).unwrap();
        let follow = |path: &str, done: Use| {
            let path = root.join(path);
            let found = Found::follow(&[Named { path, done }], &pollux_shell::is_secret);
            let shown = |touched: Touched| {
                let real = touched.file.real;
                let shown = real.strip_prefix(&root).unwrap_or(&real);
                shown.display().to_string()
            };
            let mut all: Vec<_> = found.touched.into_iter().map(shown).collect();
            all.sort();
            all.join(" ")
        };
        let search = |edit: &dyn Fn(&mut Search)| {
            let mut search = Search::default();
            edit(&mut search);
            follow("sub", Use::Searches(search))
        };
        insta::assert_snapshot!(follow("link.txt", Use::Reads), @"/etc/hosts");
        insta::assert_snapshot!(follow("*.txt", Use::Reads), @"*.txt /etc/hosts a.txt");
        insta::assert_snapshot!(follow("[", Use::Reads), @"/etc/hosts [ a.txt sub");
        insta::assert_snapshot!(search(&|_| ()), @"sub sub/.env sub/.hidden/.env sub/x.pem");
        insta::assert_snapshot!(search(&|search| search.follows = true), @"/etc/hosts sub sub/.env sub/.hidden/.env sub/x.pem");
        insta::assert_snapshot!(search(&|search| search.skips_hidden = true), @"sub sub/x.pem");
        insta::assert_snapshot!(search(&|search| search.only = vec!["*.pem".into()]), @"sub sub/x.pem");
        insta::assert_snapshot!(search(&|search| search.except_files = vec![".*".into()]), @"sub sub/x.pem");
        // A directory's name leaves out no file, and a file's name no directory.
        insta::assert_snapshot!(search(&|search| search.except_dirs = vec![".*".into()]), @"sub sub/.env sub/x.pem");
        insta::assert_snapshot!(search(&|search| search.except_files = vec!["sub".into(), ".hidden".into()]), @"sub sub/.env sub/.hidden/.env sub/x.pem");
    }
}
