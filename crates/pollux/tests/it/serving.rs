//! Programs that stay, behind the real helper.

use std::fs;
use std::path::Path;
use std::time::Instant;

use pollux_exec::server::{Pipes, Server, ServerJob};
use pollux_testkit::PATIENCE;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::runtime::Runtime;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// Starts `cat` from a thread of its own, and waits until that thread is gone for the system too.
fn started_from_elsewhere(runtime: &Runtime, dir: &Path) -> (Server, Pipes) {
    let job = ServerJob {
        helper: env!("CARGO_BIN_EXE_pollux").into(),
        program: "cat".into(),
        args: Vec::new(),
        dir: dir.to_owned(),
        hidden_variables: Vec::new(),
        variables: Vec::new(),
    };
    let start = async {
        let (server, mut pipes) = Server::start(job).unwrap();
        // What it says shows that the helper has done all that it does before.
        echo(&mut pipes).await;
        let thread = fs::read_link("/proc/thread-self").unwrap();
        (server, pipes, Path::new("/proc").join(thread))
    };
    let (server, pipes, thread) = std::thread::scope(|scope| {
        let thread = scope.spawn(|| runtime.block_on(start));
        thread.join().unwrap()
    });
    let deadline = Instant::now() + PATIENCE;
    while thread.exists() {
        assert!(Instant::now() < deadline, "the thread does not end");
        std::thread::yield_now();
    }
    (server, pipes)
}

/// It says what it is told.
async fn echo((output, input): &mut Pipes) {
    input.write_all(b"hello\n").await.unwrap();
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).await.unwrap();
    assert_eq!(line, "hello\n");
}

/// Threads come and go in pollux: those that block, those of a runtime.
#[test]
fn a_server_outlives_the_thread_that_started_it() {
    let (runtime, dir) = (runtime(), tempfile::tempdir().unwrap());
    let (mut server, mut pipes) = started_from_elsewhere(&runtime, dir.path());
    runtime.block_on(async {
        // It would have been ended by now, though not at once.
        for _ in 0..200 {
            echo(&mut pipes).await;
        }
        drop(pipes);
        server.gone().await;
        assert_eq!(server.complaints(), "it ended with exit code 0\n");
    });
}
