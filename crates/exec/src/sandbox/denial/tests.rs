//! What real programs print when a sandbox refuses them something.

use super::*;

fn policy() -> SandboxPolicy {
    SandboxPolicy {
        writable: vec!["/w".into(), "/s/tmp".into()],
        protected: vec!["/w/.git/hooks".into(), "/w/.bashrc".into()],
        network: Network::Loopback,
        tmp: "/s/tmp".into(),
        caches: vec!["/h/.cache".into()],
        cache_changes: "/s/caches".into(),
    }
}

fn guess(errors: &str) -> Option<Denied> {
    guess_on(Rung::Namespaces, errors)
}

fn guess_on(rung: Rung, errors: &str) -> Option<Denied> {
    likely(errors, Path::new("/w/sub"), rung, &policy())
}

#[test]
fn the_path_is_found() {
    let write = |path: &str| Some(Denied::Write(path.into()));
    let protected = |path: &str| Some(Denied::Protected(path.into()));
    for (errors, expected) in [
        (
            "touch: cannot touch '/etc/x': Read-only file system",
            write("/etc/x"),
        ),
        (
            "bash: line 1: ../../up: Read-only file system",
            write("/up"),
        ),
        (
            "ok\ncp: cannot create regular file '/usr/bin/a': Read-only file system",
            write("/usr/bin/a"),
        ),
        (
            "mv: cannot move '/w/a' to '/opt/a': Read-only file system",
            write("/opt/a"),
        ),
        (
            "Error: EROFS: read-only file system, open '/opt/x'",
            write("/opt/x"),
        ),
        (
            "OSError: [Errno 30] Read-only file system: '/opt/x'",
            write("/opt/x"),
        ),
        (
            "bash: line 1: ../.git/hooks/pre-commit: Read-only file system",
            protected("/w/.git/hooks/pre-commit"),
        ),
        (
            "bash: line 1: /w/.bashrc: Read-only file system",
            protected("/w/.bashrc"),
        ),
    ] {
        assert_eq!(guess(errors), expected, "{errors}");
    }
}

#[test]
fn each_rung_refuses_in_its_own_words() {
    let written = Some(Denied::Write("/etc/x".into()));
    for (words, rung, other) in [
        ("Permission denied", Rung::Landlock, Rung::Namespaces),
        ("Read-only file system", Rung::Namespaces, Rung::Landlock),
    ] {
        let errors = format!("bash: line 1: /etc/x: {words}");
        assert_eq!(guess_on(rung, &errors), written, "{errors}");
        assert_eq!(guess_on(other, &errors), None, "{errors}");
    }
}

#[test]
fn the_network_is_recognised() {
    for errors in [
        "curl: (6) Could not resolve host: example.com",
        "curl: (7) Failed to connect to 1.2.3.4 port 80 after 0 ms: Couldn't connect to server",
        "ping: socket: Permission denied",
        "connect: Network is unreachable",
        "fatal: unable to access 'https://host/x/': Could not resolve host: host",
        "npm error code EAI_AGAIN",
        "bash: connect: Connection refused",
        "bash: line 1: /dev/tcp/10.0.0.1/80: Permission denied",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
    ] {
        assert_eq!(guess(errors), Some(Denied::Network), "{errors}");
    }
    let online = SandboxPolicy {
        network: Network::On,
        ..policy()
    };
    let errors = "curl: (6) Could not resolve host: example.com";
    assert_eq!(
        likely(errors, Path::new("/w"), Rung::Namespaces, &online),
        None
    );
}

#[test]
fn calls_are_told_from_files() {
    assert_eq!(
        guess("mount: only root can do that: Operation not permitted"),
        Some(Denied::Call)
    );
}

#[test]
fn failures_of_the_command_itself_are_its_own() {
    for errors in [
        "",
        "make: *** [Makefile:2: all] Error 1",
        "bash: line 1: ./script: Permission denied",
        "cat: /w/private: Permission denied",
        "Permission denied: /home/dev/.profile",
        "cat: /etc/shadow: Permission denied",
        "ls: cannot access '/nowhere': No such file or directory",
    ] {
        assert_eq!(guess(errors), None, "{errors}");
    }
}
