//! How source files look: how they begin, how long they are, and what they may not say.

use super::{File, Problem};

/// A file over this is a sign that two rooms share one door.
const MOST_LINES: usize = 600;

/// Words that may not appear. They are put together here so that this file may.
const FORBIDDEN: [Word; 4] = [
    Word {
        text: concat!("#[", "ignore"),
        why: "a test that does not run proves nothing",
    },
    Word {
        text: concat!("#[", "should_panic"),
        why: "it passes for any panic; catch the one that is meant and look at its message",
    },
    Word {
        text: concat!("todo", "!("),
        why: "unfinished code does not go in",
    },
    Word {
        text: concat!("unimplemented", "!("),
        why: "unfinished code does not go in",
    },
];

/// Words that may not appear in tests.
const FORBIDDEN_IN_TESTS: [Word; 2] = [
    Word {
        text: concat!("thread::", "sleep"),
        why: "wait for a condition with a deadline",
    },
    Word {
        text: concat!("time::", "sleep"),
        why: "wait for a condition with a deadline",
    },
];

/// Files that may say a word all the same, and why.
const EXCEPTIONS: [Exception; 1] = [Exception {
    path: "crates/testkit/src/model_server/connection.rs",
    word: concat!("time::", "sleep"),
    why: "a scripted delay is a thing to test, not a way to wait",
}];

struct Word {
    text: &'static str,
    why: &'static str,
}

struct Exception {
    path: &'static str,
    word: &'static str,
    #[expect(dead_code, reason = "for whoever reads the table")]
    why: &'static str,
}

/// Every source file begins by saying what it is for.
pub(super) fn openings(files: &[File]) -> Vec<Problem> {
    let silent = rust(files).filter(|file| !file.text.starts_with("//!"));
    silent
        .map(|file| {
            Problem::new(
                file,
                1,
                "does not begin with `//!` and what the file is for",
            )
        })
        .collect()
}

/// Nothing is left undone, and no test is skipped or sleeps.
pub(super) fn words(files: &[File]) -> Vec<Problem> {
    rust(files).flat_map(words_in).collect()
}

/// Files are short, and have no white space where nobody sees it.
pub(super) fn layout(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in rust(files) {
        let count = file.text.lines().count();
        if count > MOST_LINES {
            let message = format!("has {count} lines, more than {MOST_LINES}");
            problems.push(Problem::new(file, 0, message));
        }
        let tabs = file.lines().filter(|(_, line)| line.contains('\t'));
        problems.extend(tabs.map(|(number, _)| Problem::new(file, number, "has a tab")));
    }
    let clean = |file: &&File| file.is_rust() || file.has_extension("toml");
    problems.extend(files.iter().filter(clean).flat_map(trailing_space));
    problems
}

fn rust(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.is_rust())
}

fn words_in(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut in_tests = is_test_file(&file.path);
    for (number, line) in file.lines() {
        let code = line.trim_start();
        in_tests |= code.starts_with("#[cfg(test)]");
        if code.starts_with("//") {
            continue;
        }
        let for_tests = FORBIDDEN_IN_TESTS.iter().filter(|_| in_tests);
        for word in FORBIDDEN.iter().chain(for_tests) {
            if code.contains(word.text) && !is_exception(&file.path, word) {
                let message = format!("has `{}`: {}", word.text, word.why);
                problems.push(Problem::new(file, number, message));
            }
        }
    }
    problems
}

/// Whether all of the file is there for tests. The testkit is: whoever uses it waits with it.
fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs") || path.starts_with("crates/testkit/")
}

fn is_exception(path: &str, word: &Word) -> bool {
    let mut exceptions = EXCEPTIONS.iter();
    exceptions.any(|exception| exception.path == path && exception.word == word.text)
}

fn trailing_space(file: &File) -> impl Iterator<Item = Problem> {
    let lines = file.lines().filter(|(_, line)| line.trim_end() != *line);
    lines.map(|(number, _)| Problem::new(file, number, "has white space at its end"))
}

#[cfg(test)]
mod tests {
    use super::super::Check;
    use super::*;

    fn found(check: Check, path: &str, text: &str) -> Vec<String> {
        let problems = check(&[File::new(path, text)]);
        problems.iter().map(ToString::to_string).collect()
    }

    fn words_on(path: &str, text: &str) -> Vec<usize> {
        let problems = words(&[File::new(path, text)]);
        problems.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn a_file_without_an_opening_is_found() {
        let complaint = "a.rs:1: does not begin with `//!` and what the file is for";
        assert_eq!(found(openings, "a.rs", "\n//! late\n"), [complaint]);
        assert_eq!(found(openings, "a.rs", ""), [complaint]);
        assert_eq!(found(openings, "a.rs", "//! A room.\n"), [""; 0]);
        assert_eq!(found(openings, "a.toml", "a = 1\n"), [""; 0]);
    }

    #[test]
    fn forbidden_words_are_found_anywhere() {
        for word in FORBIDDEN {
            let text = format!("fn a() {{}}\n    {}\n// {}\n", word.text, word.text);
            assert_eq!(words_on("crates/a/src/b.rs", &text), [2], "{}", word.text);
        }
        let skipped = format!("{} = \"slow\"]\n", concat!("#[", "ignore"));
        let complaint = format!(
            "a.rs:1: has `{}`: a test that does not run proves nothing",
            concat!("#[", "ignore")
        );
        assert_eq!(found(words, "a.rs", &skipped), [complaint]);
    }

    #[test]
    fn sleeping_is_found_in_tests_only() {
        for word in FORBIDDEN_IN_TESTS {
            let text = format!("std::{}(a);\n#[cfg(test)]\nstd::{0}(a);\n", word.text);
            assert_eq!(words_on("crates/a/src/b.rs", &text), [3], "{}", word.text);
            for path in [
                "crates/a/tests/it/b.rs",
                "crates/a/src/b/tests.rs",
                "crates/testkit/b.rs",
            ] {
                assert_eq!(words_on(path, &text), [1, 3], "{path}");
            }
        }
    }

    #[test]
    fn exceptions_are_for_one_word_in_one_file() {
        for exception in EXCEPTIONS {
            assert_eq!(words_on(exception.path, exception.word), [0; 0]);
            assert_eq!(words_on("crates/testkit/src/other.rs", exception.word), [1]);
            assert_eq!(words_on(exception.path, FORBIDDEN[0].text), [1]);
        }
    }

    #[test]
    fn bad_layout_is_found() {
        assert_eq!(
            found(layout, "a.rs", "a\nb \n"),
            ["a.rs:2: has white space at its end"]
        );
        assert_eq!(
            found(layout, "a.toml", "a = 1 \n"),
            ["a.toml:1: has white space at its end"]
        );
        assert_eq!(found(layout, "a.rs", "\ta\n"), ["a.rs:1: has a tab"]);
        assert_eq!(found(layout, "a.rs", &"x\n".repeat(MOST_LINES)), [""; 0]);
        let long = "x\n".repeat(MOST_LINES + 1);
        assert_eq!(
            found(layout, "a.rs", &long),
            ["a.rs: has 601 lines, more than 600"]
        );
        assert_eq!(found(layout, "a.md", &long.replace('x', "x  ")), [""; 0]);
    }
}
