//! Paths and the places they lead to.

use super::*;

fn context() -> Context {
    Context::new("/home/dev/project", "/home/dev")
}

fn read(path: &str) -> Place {
    reading(path, "/home/dev/project", &context())
}

fn write(path: &str) -> Place {
    writing(path, "/home/dev/project", &context())
}

#[test]
fn dots_are_followed() {
    assert_eq!(read("src/../Cargo.toml"), Place::Inside);
    assert_eq!(read("src/../../other"), Place::Outside);
    assert_eq!(read("/home/dev/project/./a"), Place::Inside);
    assert_eq!(read("/home/dev/project2/a"), Place::Outside);
    assert_eq!(read("/dev/null"), Place::Inside);
}

#[test]
fn secrets_are_known_by_name_and_by_place() {
    for path in [
        ".env",
        "config/.env.production",
        ".ENV",
        "deploy/prod.env",
        "/home/dev/.ssh/config",
        "keys/id_ed25519",
        "server.pem",
        "/proc/self/environ",
        "/proc/1/environ",
        "/home/dev/.aws/credentials",
        "/home/dev/.docker/config.json",
        ".e*",
        "i?_rsa",
        "\u{fffc}/.ssh/id_rsa",
    ] {
        assert_eq!(read(path), Place::Secret, "{path}");
    }
    for path in [
        ".env.example",
        ".env.sample",
        "src/*",
        "*.rs",
        "id_rsa.pub",
        "environ.rs",
        "key.rs",
    ] {
        assert_eq!(read(path), Place::Inside, "{path}");
    }
}

#[test]
fn git_is_told_of_secrets_in_any_case() {
    let attributes = secret_attributes();
    let lines: Vec<&str> = attributes.lines().collect();
    for line in [
        ".[eE][nN][vV] -diff",
        ".[eE][nN][vV].* -diff",
        "*.[pP][eE][mM] -diff",
        "**/.[sS][sS][hH]/** -diff",
    ] {
        assert!(lines.contains(&line), "{line}");
    }
    // The last that fits counts.
    let secret = lines.iter().position(|line| line.ends_with(".* -diff"));
    let example = ".[eE][nN][vV].[eE][xX][aA][mM][pP][lL][eE] !diff";
    let example = lines.iter().position(|line| *line == example);
    assert!(example > secret && secret.is_some());
}

#[test]
fn what_starts_programs_is_protected_from_writing() {
    for path in [
        ".git/hooks/pre-commit",
        ".GIT/config",
        "sub/.git/config",
        ".vscode/tasks.json",
        ".mcp.json",
        ".pollux/config.toml",
        "/home/dev/.bashrc",
        "/home/dev/.config/anything",
        "/home/dev/bin/ls",
        "/etc/passwd",
        "/dev/sda",
        "/",
        "/home/dev",
    ] {
        assert_eq!(write(path), Place::Protected, "{path}");
    }
    assert_eq!(write("src/main.rs"), Place::Inside);
    assert_eq!(write(".gitignore"), Place::Inside);
    assert_eq!(write(".github/workflows/ci.yml"), Place::Inside);
    assert_eq!(write("/tmp/x"), Place::Outside);
    assert_eq!(write("/home/dev/notes.txt"), Place::Outside);
    assert_eq!(write("/dev/null"), Place::Inside);
}

#[test]
fn neither_case_nor_what_is_not_seen_tells_names_apart() {
    for path in [
        ".Git/x",
        ".VSCODE",
        ".\u{17f}sh/x",
        ".g\u{200c}it/x",
        "/ETC/x",
    ] {
        assert_eq!(write(path), Place::Protected, "{path}");
    }
}

#[test]
fn where_the_project_is_does_not_protect_its_files() {
    let root = "/home/dev/.claude/trees/a";
    let context = Context::new(root, "/home/dev");
    assert_eq!(writing("a", root, &context), Place::Inside);
    assert_eq!(writing(".git/x", root, &context), Place::Protected);
    assert_eq!(writing("../b", root, &context), Place::Protected);
}

#[test]
fn names_of_variables_tell_secrets() {
    for name in [
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "ANTHROPIC_API_KEY",
        "DB_PASSWORD",
    ] {
        assert!(is_secret_variable(name), "{name}");
    }
    for name in ["PATH", "MONKEY", "KEYBOARD", "AUTHOR", "PATTERN", "FILE"] {
        assert!(!is_secret_variable(name), "{name}");
    }
}
