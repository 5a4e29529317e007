//! Tests of the table of commands.

use super::*;

#[test]
fn names_are_in_order_and_belong_to_one_command() {
    assert!(ALL.is_sorted_by_key(|slash| slash.name));
    let aliases = ALL.iter().flat_map(|slash| slash.aliases);
    let mut names: Vec<&str> = ALL
        .iter()
        .map(|slash| slash.name)
        .chain(aliases.copied())
        .collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
    for name in names {
        assert!(find(name).is_some(), "{name}");
    }
}

#[test]
fn a_path_is_no_command() {
    assert_eq!(split("/help"), Some(("help", "")));
    assert_eq!(split("  /mode  plan "), Some(("mode", "plan")));
    assert_eq!(split("/"), Some(("", "")));
    for text in ["/usr/bin/x is broken", "help", "a /help", "//", "/*/"] {
        assert_eq!(split(text), None, "{text}");
    }
}

#[test]
fn what_is_unknown_names_what_may_be_meant() {
    assert_eq!(
        unknown("hlep"),
        "Unknown command: /hlep. Did you mean /help?"
    );
    assert_eq!(
        unknown("xyzzy\u{202e}"),
        "Unknown command: /xyzzy\\u{202e}. /help lists them."
    );
}
