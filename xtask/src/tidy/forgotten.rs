//! Test files that no test binary knows of, and that therefore never run.
//!
//! A crate's integration tests are one binary, `tests/it.rs`, with its files in `tests/it/`. Cargo
//! says nothing of a file there that is not declared.

use super::{File, Problem};

pub(super) fn check(files: &[File]) -> Vec<Problem> {
    let tests = files
        .iter()
        .filter(|file| file.is_rust() && file.path.contains("/tests/it/"));
    tests.filter_map(|test| forgotten(test, files)).collect()
}

fn forgotten(test: &File, files: &[File]) -> Option<Problem> {
    let (dir, name) = test.path.rsplit_once('/')?;
    let name = name.strip_suffix(".rs")?;
    let parent = format!("{dir}.rs");
    let declared = files
        .iter()
        .find(|file| file.path == parent)
        .is_some_and(|file| declares(&file.text, name));
    (!declared).then(|| {
        Problem::new(
            test,
            0,
            format!("never runs: {parent} has no `mod {name};`"),
        )
    })
}

fn declares(text: &str, name: &str) -> bool {
    let declaration = format!("mod {name};");
    text.lines().any(|line| line.trim() == declaration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_declared_is_found() {
        let files = [
            File::new(
                "crates/a/tests/it.rs",
                "mod it {\n    mod one;\n    // mod two;\n}\n",
            ),
            File::new("crates/a/tests/it/one.rs", "mod deep;\n"),
            File::new("crates/a/tests/it/one/deep.rs", ""),
            File::new("crates/a/tests/it/one/deeper.rs", ""),
            File::new("crates/a/tests/it/two.rs", ""),
            File::new("crates/a/tests/it/notes.md", ""),
            File::new("crates/b/tests/it/three.rs", ""),
        ];
        let found: Vec<String> = check(&files).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/a/tests/it/one/deeper.rs: never runs: \
                crates/a/tests/it/one.rs has no `mod deeper;`",
                "crates/a/tests/it/two.rs: never runs: crates/a/tests/it.rs has no `mod two;`",
                "crates/b/tests/it/three.rs: never runs: crates/b/tests/it.rs has no `mod three;`",
            ]
        );
    }
}
