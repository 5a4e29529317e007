//! Programs that a command line can name.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::Candidate;

/// How many files are looked at in all.
const MOST_FILES: usize = 20_000;

/// The programs in the directories that a `PATH` names, by name. Relative ones are left out: what
/// they mean changes with the directory.
pub fn programs(path: &OsStr) -> Vec<Candidate> {
    let dirs = std::env::split_paths(path).filter(|dir| dir.is_absolute());
    let files = dirs.filter_map(|dir| fs::read_dir(dir).ok()).flatten();
    let names: BTreeSet<String> = files
        .take(MOST_FILES)
        .flatten()
        .filter(|file| is_program(&file.path()))
        .filter_map(|file| file.file_name().into_string().ok())
        .filter(|name| super::listing::is_presentable(name))
        .collect();
    let candidate = |name| Candidate {
        name,
        description: String::new(),
    };
    names.into_iter().map(candidate).collect()
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_files_that_can_be_run() {
        let dir = tempfile::tempdir().unwrap();
        let make = |file: &str, mode| {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        };
        make("one/tool", 0o755);
        make("one/notes", 0o644);
        make("one/dir/inner", 0o755);
        make("two/tool", 0o755);
        make("two/also", 0o755);
        let path = std::env::join_paths([
            dir.path().join("one"),
            dir.path().join("none"),
            dir.path().join("two"),
            "relative".into(),
        ]);
        let found = programs(&path.unwrap());
        let names: Vec<&str> = found.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["also", "tool"]);
        assert!(programs(OsStr::new("")).is_empty());
    }
}
