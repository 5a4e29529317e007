//! Which calls can run together.

use std::path::Path;

use pollux_tools::{Effects, Located};

/// The first calls, up to one that touches what another of them changes. That one waits, so that
/// what is written first is there for whoever reads it later.
pub(super) fn first<'a>(calls: impl Iterator<Item = (usize, &'a Effects)>) -> Option<Vec<usize>> {
    let mut group: Vec<(usize, &Effects)> = Vec::new();
    for (index, effects) in calls {
        if !group.iter().all(|(_, other)| apart(effects, other)) {
            break;
        }
        group.push((index, effects));
    }
    (!group.is_empty()).then(|| group.iter().map(|(index, _)| *index).collect())
}

/// Whether neither changes what the other looks at, as far as that is known.
fn apart(one: &Effects, other: &Effects) -> bool {
    let is_known = |effects: &Effects| effects.script.is_none() && !effects.foreign;
    is_known(one)
        && is_known(other)
        && !(one.todos && other.todos)
        && !touches(&one.writes, other)
        && !touches(&other.writes, one)
}

fn touches(writes: &[Located], effects: &Effects) -> bool {
    let mut looked_at = effects.reads.iter().chain(&effects.writes);
    looked_at.any(|path| writes.iter().any(|write| overlap(&write.real, &path.real)))
}

/// A directory stands for all below it.
fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

#[cfg(test)]
mod tests {
    use pollux_tools::Script;

    use super::*;

    /// `r` reads, `w` writes, `t` has to do with todos, `!` runs, `?` is foreign; the rest is the path.
    fn effects(text: &str) -> Effects {
        let (what, path) = text.split_at(1);
        let located = Located::of(path.into());
        let mut effects = Effects::default();
        match what {
            "r" => effects.reads.push(located),
            "w" => {
                effects.reads.push(located.clone());
                effects.writes.push(located);
            }
            "t" => effects.todos = true,
            "?" => effects.foreign = true,
            _ => {
                effects.script = Some(Script {
                    command: String::new(),
                    dir: path.into(),
                });
            }
        }
        effects
    }

    #[track_caller]
    fn check(calls: &[&str], groups: &[&[usize]]) {
        let effects: Vec<Effects> = calls.iter().map(|text| effects(text)).collect();
        let mut left: Vec<(usize, &Effects)> = effects.iter().enumerate().collect();
        for group in groups {
            assert_eq!(first(left.iter().copied()).as_deref(), Some(*group));
            left.drain(..group.len());
        }
        assert_eq!(first(left.into_iter()), None);
    }

    #[test]
    fn calls_run_together_unless_they_meet() {
        check(&["r/a", "r/a", "r/b"], &[&[0, 1, 2]]);
        check(&["w/a", "w/b", "r/c"], &[&[0, 1, 2]]);
        check(&["r/a", "w/a", "r/a"], &[&[0], &[1], &[2]]);
        check(&["w/d/a", "r/d"], &[&[0], &[1]]);
        check(&["r/a", "!/", "!/", "r/a"], &[&[0], &[1], &[2], &[3]]);
        check(&["t", "r/a", "t"], &[&[0, 1], &[2]]);
        check(&["r/a", "?", "?", "r/a"], &[&[0], &[1], &[2], &[3]]);
    }
}
