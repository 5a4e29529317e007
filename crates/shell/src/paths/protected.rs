//! What may not be written in passing: it decides which programs run later, or it is the system's.

use std::path::{Path, PathBuf};

use pollux_types::protected::{BUILD_SETTINGS, ENDINGS, NAMES};

use super::secret::is_disk;
use super::{holds, is_below, resolve};
use crate::Context;
use crate::hidden::is_format;

/// Directories of the system.
const SYSTEM: [&str; 16] = [
    "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/sys", "/proc", "/var",
    "/opt", "/root", "/run", "/system", "/library",
];

/// Whether writing to the absolute `path` needs a second look whatever writes it.
pub(super) fn is_protected(path: &str, context: &Context) -> bool {
    let path = folded(path);
    let own = |dir: &PathBuf| is_below(&path, &place(dir));
    if context.protected.iter().any(own) {
        return true;
    }
    // Where the project itself is, is not held against its files.
    let mut roots = context.roots.iter().map(|root| place(root));
    let root = roots.find(|root| is_below(&path, root));
    let below = root
        .as_ref()
        .map_or(path.as_str(), |root| &path[root.len()..]);
    let parts: Vec<&str> = below.split('/').filter(|part| !part.is_empty()).collect();
    NAMES.iter().chain(BUILD_SETTINGS).any(|name| {
        let wanted: Vec<&str> = name.split('/').collect();
        holds(&parts, &wanted)
    }) || parts.last().is_some_and(|name| has_ending(name))
        || root.is_none() && (is_system(&path, &parts) || is_setting(&path, context))
}

fn has_ending(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// A directory of the context, to be compared with.
fn place(dir: &Path) -> String {
    folded(&resolve(&dir.to_string_lossy(), "/"))
}

/// `text` as file systems that do not care for case see it: some leave out what is not seen, too.
fn folded(text: &str) -> String {
    let seen = text.chars().filter(|c| !is_format(*c));
    let upper = seen.flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).collect()
}

fn is_system(path: &str, parts: &[&str]) -> bool {
    match parts {
        ["dev", name] => is_disk(name) || matches!(*name, "mem" | "kmem" | "port"),
        [] | ["dev", "tcp" | "udp", ..] => true,
        ["var", "tmp" | "folders", ..] => false,
        _ => SYSTEM.iter().any(|dir| is_below(path, dir)),
    }
}

/// The home directory itself, programs in it, and files there that begin with a dot: settings.
fn is_setting(path: &str, context: &Context) -> bool {
    let Some(home) = &context.home else {
        return false;
    };
    let home = place(home);
    if path == home {
        return true;
    }
    let Some(rest) = path
        .strip_prefix(&home)
        .and_then(|rest| rest.strip_prefix('/'))
    else {
        return false;
    };
    let kept = [".cache", ".local/share", ".local/state"];
    rest.starts_with('.') && !kept.iter().any(|dir| is_below(rest, dir))
        || is_below(rest, "bin")
        || is_below(rest, ".local/bin")
}
