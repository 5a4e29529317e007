//! What may not be written in passing: it decides which programs run later, or it is the system's.

use super::secret::is_disk;
use super::{holds, is_below, is_inside, means, resolve};
use crate::Context;

/// Directories of settings that start programs, wherever they are.
const DIRECTORIES: [&[&str]; 20] = [
    &[".git"],
    &[".pollux"],
    &[".vscode"],
    &[".idea"],
    &[".zed"],
    &[".cursor"],
    &[".claude"],
    &[".codex"],
    &[".gemini"],
    &[".windsurf"],
    &[".continue"],
    &[".husky"],
    &[".devcontainer"],
    &[".ssh"],
    &[".gnupg"],
    &[".aws"],
    &[".kube"],
    &[".config", "systemd"],
    &[".config", "autostart"],
    &[".cargo", "config.toml"],
];

/// Files of that sort.
const FILES: [&str; 35] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    "config.fish",
    ".inputrc",
    ".gitconfig",
    ".gitmodules",
    ".ripgreprc",
    ".mcp.json",
    "mcp.json",
    "mcp_config.json",
    ".envrc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".netrc",
    ".vimrc",
    ".exrc",
    ".nvimrc",
    ".gdbinit",
    ".lldbinit",
    ".tmux.conf",
    "authorized_keys",
];

/// Directories of the system.
const SYSTEM: [&str; 16] = [
    "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/sys", "/proc", "/var",
    "/opt", "/root", "/run", "/system", "/library",
];

/// Whether writing to the absolute `path` needs a second look whatever writes it.
pub(super) fn is_protected(path: &str, context: &Context) -> bool {
    let own = |dir: &std::path::PathBuf| is_below(path, &resolve(&dir.to_string_lossy(), "/"));
    if context.protected.iter().any(own) {
        return true;
    }
    let lower = path.to_lowercase();
    let parts: Vec<&str> = lower.split('/').filter(|part| !part.is_empty()).collect();
    let in_directory = DIRECTORIES.iter().any(|wanted| holds(&parts, wanted));
    in_directory
        || parts
            .last()
            .is_some_and(|name| FILES.iter().any(|file| means(name, file)))
        || !is_inside(path, context) && (is_system(&lower, &parts) || is_setting(path, context))
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
    let home = resolve(&home.to_string_lossy(), "/");
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
