//! What bash sees in a text, by the programs that it would run.

use super::*;
use crate::syntax::{Command, Piece};

/// The first words of all simple commands, in order.
fn programs(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&script(text, 0).0, &mut found);
    found
}

fn collect(script: &Script, found: &mut Vec<String>) {
    let pipelines = script.entries.iter().flat_map(|entry| {
        std::iter::once(&entry.first).chain(entry.rest.iter().map(|(_, pipeline)| pipeline))
    });
    for command in pipelines.flat_map(|pipeline| &pipeline.stages) {
        collect_command(command, found);
    }
}

fn collect_command(command: &Command, found: &mut Vec<String>) {
    match command {
        Command::Simple(simple) => {
            found.extend(simple.words.first().and_then(Word::plain));
            for piece in simple.words.iter().flat_map(|word| &word.pieces) {
                if let Piece::Substitution(script) | Piece::Process(script) = piece {
                    collect(script, found);
                }
            }
        }
        Command::Compound(compound) => compound.bodies.iter().for_each(|body| collect(body, found)),
        Command::Function { body, .. } => collect_command(body, found),
    }
}

fn fails(text: &str) -> bool {
    script(text, 0).0.problem.is_some()
}

#[test]
fn continued_lines_are_gone_before_anything_is_read() {
    assert_eq!(programs("a &\\\n& b"), ["a", "b"]);
    assert_eq!(programs("i\\\nf a; then b; fi"), ["a", "b"]);
    assert_eq!(programs("a \\\n; b"), ["a", "b"]);
    assert_eq!(programs("'a\\\nb' c"), ["a\\\nb"]);
    assert_eq!(programs("a # b\\\nc"), ["a", "c"]);
}

#[test]
fn here_documents_end_where_bash_ends_them() {
    assert_eq!(programs("a <<E\nb\nE\nc"), ["a", "c"]);
    assert_eq!(programs("a <<E | b\nx\nE\nc"), ["a", "b", "c"]);
    // Joined lines may be the end, and may hide one.
    assert_eq!(programs("a <<EF\nE\\\nF\nc"), ["a", "c"]);
    assert_eq!(programs("a <<E\nx\\\nE\nb\nE\nc"), ["a", "c"]);
    assert_eq!(programs("a <<'E'\nx\\\nE\nc"), ["a", "c"]);
    assert_eq!(programs("a <<-E\n\tx\n\tE\nc"), ["a", "c"]);
    assert_eq!(programs("a <<A <<B\n1\nA\n2\nB\nc"), ["a", "c"]);
    assert!(fails("a <<E\nb"));
}

#[test]
fn commands_are_found_wherever_they_stand() {
    assert_eq!(
        programs("a $(b `c`) \"$(d)\" <(e)"),
        ["a", "b", "c", "d", "e"]
    );
    assert_eq!(
        programs("case x in y) a;; z|w) b;; esac; c"),
        ["a", "b", "c"]
    );
    assert_eq!(
        programs("for i in x; do a; done && until b; do c; done"),
        ["a", "b", "c"]
    );
    assert_eq!(programs("f() { a; }; function g { b; }"), ["a", "b"]);
    assert_eq!(programs("((a); b) | c |& d"), ["a", "b", "c", "d"]);
    assert_eq!(programs("! time -p a"), ["a"]);
    assert_eq!(programs("[[ a =~ ^(b|c)$ && -f d ]] && e"), ["e"]);
}

#[test]
fn what_bash_refuses_is_refused() {
    for text in [
        "a &&",
        "a ;; b",
        "a | | b",
        "if then a",
        "a (b)",
        "a )",
        "'a",
        "\"a",
        "$(a",
        "${a",
        "`a",
        "{ a",
        "( )",
        "a <",
        "fi",
        "[[ a",
    ] {
        assert!(fails(text), "{text}");
    }
    assert_eq!(programs("a\nb (c)"), ["a", "b"]);
}
