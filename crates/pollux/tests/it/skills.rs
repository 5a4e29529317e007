//! Instructions for particular work, in folders.

use pollux_testkit::{ModelServer, Project, Protocol, Turn};
use serde_json::json;

use super::support::talking_to;

/// A skill of the user's and one of the project's.
fn project() -> Project {
    let project = Project::new().file(
        ".agents/skills/deploy/SKILL.md",
        "---\nname: deploy\ndescription: For deploying.\n---\nPush the button.\n",
    );
    let skills = project.pollux_home().join("skills/pdf");
    let pdf = "---\nname: pdf\ndescription: For making PDFs.\n---\nRun make.py.\n";
    project.write(skills.join("SKILL.md"), pdf);
    project.write(skills.join("make.py"), "print('pdf')\n");
    project
}

#[test]
fn a_skill_is_told_by_name_and_given_out_when_asked_for() {
    for protocol in Protocol::ALL {
        let project = project();
        let make = project.pollux_home().join("skills/pdf/make.py");
        let turns = [
            Turn::call("activate_skill", json!({"name": "pdf"})),
            Turn::call("read_file", json!({"file_path": make})),
            Turn::text(["ok"]),
        ];
        let server = ModelServer::speaking(protocol, turns);
        let ran = talking_to(&project, &server, protocol)
            .args(["-p", "make a pdf", "--trust"])
            .run()
            .exited(0);
        let requests = server.requests();
        let [first, second, third] = [0, 1, 2].map(|at| requests[at].text());
        assert!(
            first.contains("- deploy: For deploying.\\n- pdf: For making PDFs."),
            "{first}"
        );
        assert!(!first.contains("Run make.py."), "{first}");
        assert!(second.contains("Run make.py."), "{second}");
        // What belongs to a skill is read unasked, though it is not in the project.
        assert!(third.contains("print('pdf')"), "{third} {}", ran.stderr);
    }
}

#[test]
fn what_a_folder_brings_counts_once_it_is_trusted() {
    let project = project();
    let turns = [
        Turn::call("activate_skill", json!({"name": "deploy"})),
        Turn::text(["ok"]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "deploy"])
        .run()
        .exited(0);
    assert!(
        ran.stderr.contains(".agents/skills/deploy/SKILL.md"),
        "{}",
        ran.stderr
    );
    let requests = server.requests();
    assert!(!requests[0].text().contains("For deploying."));
    assert!(requests[1].text().contains("there is no skill `deploy`"));
}

#[test]
fn a_bad_skill_is_placed() {
    let project = Project::new();
    let file = project.pollux_home().join("skills/bad/SKILL.md");
    project.write(&file, "---\nname: bad\n---\n");
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "hello"])
        .run()
        .exited(0);
    let told = format!("{}:1: `description` is missing", file.display());
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    let body = server.requests()[0].text().to_owned();
    assert!(!body.contains("activate_skill"), "{body}");
}
