//! Repositories without a `.git`: nothing in their name says that git takes them for one.

use std::path::Path;

use pollux_types::protected::IN_GIT;

/// Whether changing `path` decides what git runs in the directory above it: it is the settings or
/// the hooks of a repository, or what makes a repository of a directory with settings.
pub(super) fn is_in_bare(path: &Path) -> bool {
    let dirs = path.ancestors().skip(1);
    dirs.into_iter().any(|dir| {
        let Ok(below) = path.strip_prefix(dir) else {
            return false;
        };
        let decides = IN_GIT.iter().any(|name| below.starts_with(name));
        let has_settings = || IN_GIT.iter().any(|name| dir.join(name).exists());
        let has = |name: &str| dir.join(name).exists();
        decides && has("HEAD") && has("objects")
            || below == Path::new("HEAD") && has("objects") && has_settings()
            || below.starts_with("objects") && has("HEAD") && !has("objects") && has_settings()
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_directory_is_a_repository_by_what_is_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for name in ["bare/objects", "half/objects", "plain", "other"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        for name in ["bare/HEAD", "half/config", "other/HEAD", "other/config"] {
            fs::write(root.join(name), "").unwrap();
        }
        for (path, expected) in [
            ("bare/config", true),
            ("bare/hooks/post-checkout", true),
            ("bare/info/attributes", true),
            ("bare/description", false),
            ("half/HEAD", true),
            ("half/config", false),
            ("other/objects/new", true),
            ("other/config", false),
            ("plain/config", false),
        ] {
            assert_eq!(is_in_bare(&root.join(path)), expected, "{path}");
        }
    }
}
