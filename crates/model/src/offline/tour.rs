//! The offline model's tour: one of each tool, one step a round.
//!
//! The tour leaves the project as it found it: the one file it writes, it also removes.

use pollux_types::{FunctionResponse, Response};

use super::{Says, Step};

const FILE: &str = "pollux-tour.txt";

/// The next step, given the results of those before it.
pub(super) fn next(results: &[&FunctionResponse]) -> Says {
    let steps = steps();
    let wrote = results.iter().any(|r| r.name == "write_file" && ok(r));
    let remaining = &steps[results.len().min(steps.len())..];
    // Without the file there is nothing to edit, read or remove.
    match remaining.first() {
        Some((intro, step)) if wrote || results.len() <= 3 => Says::call(*intro, step.clone()),
        _ => Says::text(summary(results)),
    }
}

fn steps() -> [(&'static str, Step); 7] {
    [
        (
            "First, what is here. ",
            Step::new("list_directory", [("dir_path", ".")]),
        ),
        (
            "Files can be found by name. ",
            Step::new("glob", [("pattern", "*.md")]),
        ),
        (
            "And by what is in them. ",
            Step::new("grep_search", [("pattern", "TODO")]),
        ),
        (
            "I can write a file. ",
            Step::new(
                "write_file",
                [("file_path", FILE), ("content", "hello from pollux\n")],
            ),
        ),
        (
            "Edit it. ",
            Step::new(
                "replace",
                [
                    ("file_path", FILE),
                    ("old_string", "hello"),
                    ("new_string", "goodbye"),
                ],
            ),
        ),
        (
            "Read it again. ",
            Step::new("read_file", [("file_path", FILE)]),
        ),
        (
            "And run a command, which takes it away. ",
            Step::new("run_shell_command", [("command", &format!("rm {FILE}"))]),
        ),
    ]
}

fn summary(results: &[&FunctionResponse]) -> String {
    let worked = results.iter().filter(|result| ok(result)).count();
    let head = format!(
        "That was the tour: {worked} of {} calls worked.\n",
        results.len()
    );
    let failures = results.iter().filter(|result| !ok(result)).map(|result| {
        let why = result.response.text().lines().next().unwrap_or_default();
        format!("- `{}` did not: {why}\n", result.name)
    });
    std::iter::once(head).chain(failures).collect()
}

fn ok(result: &FunctionResponse) -> bool {
    matches!(result.response, Response::Output(_))
}
