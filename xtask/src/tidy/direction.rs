//! Which of our crates may use which.
//!
//! The table is in ARCHITECTURE.md, in the block after [`MARK`]: so what people read there is what
//! holds. It speaks of what is shipped; tests may use anything. The testkit may use anything too,
//! but only tests may use the testkit.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::{File, Problem};

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const MARK: &str = "<!-- dependency-direction -->";
const TESTKIT: &str = "pollux-testkit";

/// What each crate may use.
type Directions = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(files: &[File]) -> Vec<Problem> {
    let Some(architecture) = files.iter().find(|file| file.path == ARCHITECTURE) else {
        let missing = File::new(ARCHITECTURE, "");
        return vec![Problem::new(&missing, 0, "is missing")];
    };
    let allowed = match directions(&architecture.text) {
        Ok(allowed) => allowed,
        Err(message) => return vec![Problem::new(architecture, 0, message)],
    };
    let manifests = files.iter().filter(|file| is_manifest(&file.path));
    manifests
        .flat_map(|manifest| {
            let messages = check_manifest(&manifest.text, &allowed);
            let messages = messages.unwrap_or_else(|error| vec![error]);
            messages
                .into_iter()
                .map(|text| Problem::new(manifest, 0, text))
        })
        .collect()
}

/// Whether it is `crates/<name>/Cargo.toml`.
fn is_manifest(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts[..], ["crates", _, "Cargo.toml"])
}

/// Reads the table.
fn directions(architecture: &str) -> Result<Directions, String> {
    let (_, after) = architecture
        .split_once(MARK)
        .ok_or_else(|| format!("has no {MARK}"))?;
    let mut lines = after.trim_start().lines();
    if !lines.next().is_some_and(|line| line.starts_with("```")) {
        return Err(format!("has no block of text after {MARK}"));
    }
    let table = lines.take_while(|line| !line.starts_with("```"));
    table.map(direction).collect()
}

/// Reads `name -> name name`.
fn direction(line: &str) -> Result<(String, BTreeSet<String>), String> {
    let (name, used) = line
        .split_once("->")
        .ok_or_else(|| format!("has a direction without `->`: {line:?}"))?;
    let used = used.split_whitespace().map(str::to_owned).collect();
    Ok((name.trim().to_owned(), used))
}

/// What is wrong with one crate.
fn check_manifest(manifest: &str, allowed: &Directions) -> Result<Vec<String>, String> {
    let manifest: Table = manifest.parse().map_err(|error| format!("{error}"))?;
    let name = manifest
        .get("package")
        .and_then(|package| package.get("name"));
    let name = name.and_then(Value::as_str).ok_or("has no package.name")?;
    if name == TESTKIT {
        return Ok(Vec::new());
    }
    let Some(may_use) = allowed.get(name) else {
        return Err(format!("{name} has no line in the table of {ARCHITECTURE}"));
    };
    let wrong = ours(&manifest)
        .into_iter()
        .filter(|used| !may_use.contains(used));
    Ok(wrong
        .map(|used| {
            if used == TESTKIT {
                return format!("{name} uses {TESTKIT} outside its tests");
            }
            format!("{name} uses {used}, which the table of {ARCHITECTURE} does not allow")
        })
        .collect())
}

/// Our own crates among what a crate needs other than for its tests.
fn ours(manifest: &Table) -> BTreeSet<String> {
    let per_target = manifest.get("target").and_then(Value::as_table);
    let per_target = per_target.into_iter().flat_map(Table::values);
    let per_target = per_target.filter_map(Value::as_table);
    let kinds = ["dependencies", "build-dependencies"];
    std::iter::once(manifest)
        .chain(per_target)
        .flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)?.as_table()))
        .flatten()
        .map(|(key, value)| package(key, value))
        .filter(|name| name.starts_with("pollux-"))
        .map(str::to_owned)
        .collect()
}

/// A dependency can go by another name than its package.
fn package<'a>(key: &'a str, value: &'a Value) -> &'a str {
    let renamed = value.get("package").and_then(Value::as_str);
    renamed.unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# x\n\n<!-- dependency-direction -->\n```text\n\
        pollux-a ->\npollux-b   -> pollux-a\n```\npollux-c -> pollux-a\n";

    fn complaints(manifest: &str) -> Vec<String> {
        let files = [
            File::new(ARCHITECTURE, TABLE),
            File::new("crates/b/Cargo.toml", manifest),
            File::new("crates/b/tests/fixture/Cargo.toml", "not looked at"),
        ];
        check(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn allowed_uses_and_uses_in_tests_are_fine() {
        let manifest = "package.name = 'pollux-b'\n\
            [dependencies]\nserde = '1'\npollux-a.workspace = true\n\
            [dev-dependencies]\npollux-testkit.workspace = true\npollux-z.workspace = true\n";
        assert_eq!(complaints(manifest), [""; 0]);
        let testkit = "package.name = 'pollux-testkit'\n[dependencies]\npollux-b = '1'\n";
        assert_eq!(complaints(testkit), [""; 0]);
    }

    #[test]
    fn a_use_against_the_direction_is_found_wherever_it_hides() {
        for dependencies in [
            "[dependencies]\npollux-b.workspace = true\n",
            "[build-dependencies]\npollux-b = { path = '../b' }\n",
            "[target.'cfg(unix)'.dependencies]\npollux-b.workspace = true\n",
            "[dependencies]\nfriend = { package = 'pollux-b', path = '../b' }\n",
        ] {
            let manifest = format!("package.name = 'pollux-a'\n{dependencies}");
            assert_eq!(
                complaints(&manifest),
                ["crates/b/Cargo.toml: pollux-a uses pollux-b, \
                which the table of ARCHITECTURE.md does not allow"]
            );
        }
    }

    #[test]
    fn the_testkit_is_for_tests() {
        let manifest = "package.name = 'pollux-a'\n[dependencies]\npollux-testkit = '1'\n";
        let complaint = "crates/b/Cargo.toml: pollux-a uses pollux-testkit outside its tests";
        assert_eq!(complaints(manifest), [complaint]);
    }

    #[test]
    fn a_crate_must_be_in_the_table() {
        let complaint = "crates/b/Cargo.toml: pollux-c has no line in the table of ARCHITECTURE.md";
        assert_eq!(complaints("package.name = 'pollux-c'"), [complaint]);
        assert_eq!(
            complaints("a = 1"),
            ["crates/b/Cargo.toml: has no package.name"]
        );
    }

    #[test]
    fn the_table_must_be_there_and_readable() {
        assert_eq!(check(&[])[0].to_string(), "ARCHITECTURE.md: is missing");
        for (text, complaint) in [
            ("# x", "has no <!-- dependency-direction -->"),
            (
                MARK,
                "has no block of text after <!-- dependency-direction -->",
            ),
            (
                "<!-- dependency-direction -->\n```text\npollux-a\n```\n",
                "has a direction without `->`: \"pollux-a\"",
            ),
        ] {
            assert_eq!(directions(text).unwrap_err(), complaint);
        }
    }
}
