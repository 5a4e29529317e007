//! Nothing configured: the built-in model, real tools.

use pollux_testkit::Project;

use super::support::pollux;

fn project() -> Project {
    Project::new()
        .file("notes.txt", "hello world\n")
        .file("src/main.rs", "fn main() {} // TODO\n")
}

/// What `pollux -p PROMPT` prints with `flags`.
fn answer(project: &Project, prompt: &str, flags: &[&str]) -> String {
    pollux(project)
        .args(["-p", prompt])
        .args(flags.iter().copied())
        .run()
        .exited(0)
        .stdout
}

#[test]
fn a_listing_comes_from_a_real_tool_call() {
    let ran = pollux(&project())
        .args(["-p", "list the files"])
        .run()
        .exited(0);
    insta::assert_snapshot!(ran.stdout, @"
    In `.`:

    src/
    notes.txt  (12 bytes)
    ");
    insta::assert_snapshot!(ran.stderr, @"[tool] list_directory .");
}

#[test]
fn reading_and_finding() {
    let project = project();
    insta::assert_snapshot!(answer(&project, "read notes.txt", &[]), @"
    This is in `notes.txt`:

    hello world
    ");
    insta::assert_snapshot!(answer(&project, "find TODO", &[]), @"
    Where `TODO` stands:

    src/main.rs
    1: fn main() {} // TODO
    ");
    insta::assert_snapshot!(answer(&project, "files named *.rs", &[]), @"
    Files named `*.rs`:

    src/main.rs
    ");
}

#[test]
fn editing_needs_permission() {
    let project = project();
    let refused = answer(&project, "replace world with moon in notes.txt", &[]);
    insta::assert_snapshot!(refused, @"That did not work: `replace` was not run: it changes files, which is not allowed. `--approval-mode auto-edit` would allow it.");
    assert_eq!(project.read("notes.txt"), "hello world\n");
    let flags = ["--approval-mode", "auto-edit"];
    answer(&project, "replace world with moon in notes.txt", &flags);
    answer(&project, "write good evening to deep/down.txt", &flags);
    assert_eq!(project.read("notes.txt"), "hello moon\n");
    assert_eq!(project.read("deep/down.txt"), "good evening\n");
    // Edits are not commands, whatever those run in.
    assert!(answer(&project, "run touch ran", &flags).contains("was not run"));
    assert!(!project.exists("ran"));
    answer(&project, "run touch ran", &["-y"]);
    assert!(project.exists("ran"));
}

#[test]
fn the_tour_uses_every_tool_and_cleans_up() {
    let project = project();
    let ran = pollux(&project)
        .args(["-y", "-p", "give me a tour"])
        .run()
        .exited(0);
    assert!(
        ran.stdout
            .ends_with("That was the tour: 7 of 7 calls worked.\n"),
        "{}",
        ran.stdout
    );
    insta::assert_snapshot!(ran.stderr, @"
    [tool] list_directory .
    [tool] glob *.md
    [tool] grep_search TODO
    [tool] write_file pollux-tour.txt
    [tool] replace pollux-tour.txt
    [tool] read_file pollux-tour.txt
    [tool] run_shell_command rm pollux-tour.txt
    ");
    assert!(!project.exists("pollux-tour.txt"));
}

#[test]
fn help_tells_what_is_understood() {
    let help = answer(&project(), "what can you do?", &[]);
    assert!(help.contains("replace A with B in FILE"), "{help}");
    assert!(help.contains("GEMINI_API_KEY"), "{help}");
}

#[test]
fn the_json_format_counts_what_was_done() {
    let project = project();
    let ran = pollux(&project)
        .args([
            "-y",
            "-o",
            "json",
            "-p",
            "replace world with moon in notes.txt",
        ])
        .run()
        .exited(0);
    let mut object = ran.json();
    object["session_id"] = "ID".into();
    object["stats"]["models"]["offline"]["tokens"] = "N".into();
    insta::assert_snapshot!(serde_json::to_string_pretty(&object).unwrap(), @r#"
    {
      "session_id": "ID",
      "response": "Done:\n\nreplaced 1 occurrence in `notes.txt` (line 1)\n",
      "stats": {
        "models": {
          "offline": {
            "api": {
              "totalRequests": 2
            },
            "tokens": "N"
          }
        },
        "tools": {
          "totalCalls": 1,
          "totalSuccess": 1,
          "totalFail": 0,
          "byName": {
            "replace": {
              "count": 1,
              "success": 1,
              "fail": 0
            }
          }
        },
        "files": {
          "totalLinesAdded": 1,
          "totalLinesRemoved": 1
        }
      },
      "model": "offline",
      "provider": "offline",
      "notices": []
    }
    "#);
}
