//! `/skills`: what the model has instructions for.

use pollux_testkit::{Project, Turn};

use super::{Repl, Start};

#[test]
fn s3_41_skills_are_listed_completed_and_used() {
    let project = Project::new();
    let skill = |name: &str| format!("---\nname: {name}\ndescription: For {name}.\n---\nGo.\n");
    for name in ["pdf", "slides"] {
        let file = project
            .pollux_home()
            .join(format!("skills/{name}/SKILL.md"));
        project.write(file, skill(name));
    }
    let repl = Start::new([Turn::text(["Done."])]).at(project).start();
    repl.keys("/skills<enter>")
        .sees("For pdf. (")
        .sees("For slides. (")
        .ready();
    repl.keys("/skills sl").sees("> slides  For slides.");
    repl.keys("<tab>").typed("/skills slides");
    repl.keys("<c-u>/skills slide<enter>")
        .sees("did you mean `slides`?")
        .ready();
    assert!(repl.server.requests().is_empty());
    repl.keys("/skills pdf of a.md<enter>")
        .sees("Done.")
        .ready();
    assert!(repl.request(0).contains("Use the skill `pdf`: of a.md"));
    repl.quit();
}

#[test]
fn s3_41_without_any_it_is_said_where_they_go() {
    let repl = Repl::new([]);
    repl.keys("/skills<enter>")
        .sees("there are no skills")
        .ready();
    repl.quit();
}
