//! Paths by their spelling: where they lead, and what they must not lead to.
//!
//! Nothing is looked up: a link inside the workspace may lead anywhere. This is about what a command
//! says it will touch; whoever can look follows the names that it gives (`Reading::named`).

mod protected;
mod secret;

use crate::Context;
use crate::args::UNKNOWN;

pub(crate) use secret::{attributes as secret_attributes, is_secret_name, is_secret_variable};

/// What reading or writing a path would mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// In the workspace.
    Inside,
    /// Anywhere else.
    Outside,
    /// A key, a password or the like.
    Secret,
    /// What decides which programs run later, or belongs to the system.
    Protected,
}

/// Reading `text` from the directory `dir`.
pub(crate) fn reading(text: &str, dir: &str, context: &Context) -> Place {
    let path = resolve(text, dir);
    if secret::is_secret(&path) {
        Place::Secret
    } else if is_inside(&path, context) || is_standard(&path) {
        Place::Inside
    } else {
        Place::Outside
    }
}

/// Writing `text` from the directory `dir`.
pub(crate) fn writing(text: &str, dir: &str, context: &Context) -> Place {
    let path = resolve(text, dir);
    if protected::is_protected(&path, context) {
        Place::Protected
    } else if is_inside(&path, context) || is_standard(&path) {
        Place::Inside
    } else {
        Place::Outside
    }
}

/// Whether writing to the absolute `path` needs a second look whatever writes it.
pub(crate) fn is_protected(path: &std::path::Path, context: &Context) -> bool {
    protected::is_protected(&resolve(&path.to_string_lossy(), "/"), context)
}

/// Whether reading the absolute `path` gives away a secret.
pub(crate) fn is_secret(path: &std::path::Path) -> bool {
    secret::is_secret(&resolve(&path.to_string_lossy(), "/"))
}

/// Whether `path` is the root, the home directory, or a directory that holds the workspace.
pub(crate) fn is_everything(text: &str, dir: &str, context: &Context) -> bool {
    let path = resolve(text.trim_end_matches('*'), dir);
    let holds = |inner: &std::path::Path| is_below(&inner.to_string_lossy(), &path);
    context.home.as_deref().is_some_and(holds) || context.roots.iter().any(|root| holds(root))
}

/// `text` as an absolute path without `.` and `..`.
pub(crate) fn resolve(text: &str, dir: &str) -> String {
    let whole = if text.starts_with(['/', UNKNOWN]) {
        text.to_owned()
    } else {
        format!("{dir}/{text}")
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    if whole.starts_with(UNKNOWN) {
        parts.join("/")
    } else {
        format!("/{}", parts.join("/"))
    }
}

fn is_inside(path: &str, context: &Context) -> bool {
    context
        .roots
        .iter()
        .any(|root| is_below(path, &root.to_string_lossy()))
}

/// Whether `path` is `dir` or something in it.
fn is_below(path: &str, dir: &str) -> bool {
    let dir = dir.trim_end_matches('/');
    path.strip_prefix(dir)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Devices that hold nothing.
fn is_standard(path: &str) -> bool {
    matches!(
        path,
        "/dev/null" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"
    )
}

/// Whether `wanted` stands in a row somewhere in `parts`.
fn holds(parts: &[&str], wanted: &[&str]) -> bool {
    let mut rows = parts.windows(wanted.len());
    rows.any(|row| row.iter().zip(wanted).all(|(part, name)| means(part, name)))
}

/// Whether `pattern`, which may have globs and unknown parts, means `name`. A pattern without any
/// letters of its own means nothing in particular.
fn means(pattern: &str, name: &str) -> bool {
    let wild = |c: char| matches!(c, '*' | '?' | '[' | ']' | UNKNOWN);
    let first = pattern.chars().next();
    if !first.is_some_and(wild) && first != name.chars().next() {
        return false;
    }
    if !pattern.contains(wild) {
        return pattern == name;
    }
    let letters = pattern.chars().filter(|c| c.is_alphanumeric()).count();
    letters > 0 && name.starts_with('.') == pattern.starts_with('.') && matches(pattern, name)
}

/// Glob matching in which a set in brackets matches any letter. Only the last star is ever taken
/// back, so that no pattern takes long.
fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = simplified(pattern);
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut letter) = (0, 0);
    let mut star = None;
    while letter < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, letter));
                at += 1;
            }
            Some(c) if *c == '?' || *c == name[letter] => {
                at += 1;
                letter += 1;
            }
            _ => {
                let Some((star_at, taken)) = star else {
                    return false;
                };
                star = Some((star_at, taken + 1));
                at = star_at + 1;
                letter = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

/// `pattern` with `?` for each set and `*` for what is not known.
fn simplified(pattern: &str) -> Vec<char> {
    let mut simple = Vec::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            UNKNOWN => simple.push('*'),
            '[' if rest.as_str().contains(']') => {
                let _set = rest.by_ref().find(|c| *c == ']');
                simple.push('?');
            }
            c => simple.push(c),
        }
    }
    simple
}

#[cfg(test)]
mod tests;
