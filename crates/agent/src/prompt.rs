//! The standing instructions of the model.
//!
//! They stay the same for a whole session, so that providers can cache them.

use std::fmt::Write as _;

/// What the model is told about where it is.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The working directory.
    pub cwd: String,
    /// Further directories that belong to the project.
    pub more: Vec<String>,
    /// Operating system and architecture.
    pub platform: String,
    /// The day on which the session began.
    pub date: String,
    /// Whether the project is under git.
    pub git: bool,
}

/// The system prompt of a session.
pub fn system_prompt(surroundings: &Surroundings) -> String {
    let mut prompt = include_str!("prompt/system.md").to_owned();
    let git = if surroundings.git {
        "a git repository"
    } else {
        "not a git repository"
    };
    let more = match surroundings.more.as_slice() {
        [] => String::new(),
        more => format!("- Also part of the project: {}\n", more.join(", ")),
    };
    let Surroundings {
        cwd,
        platform,
        date,
        ..
    } = surroundings;
    write!(
        prompt,
        "\n# Here\n- Directory: {cwd} ({git})\n{more}- System: {platform}\n- Date: {date}\n"
    )
    .expect("a String takes any text");
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_is_short_and_ends_with_the_place() {
        let prompt = system_prompt(&Surroundings {
            cwd: "/p".into(),
            more: vec!["/q".into()],
            platform: "linux x86_64".into(),
            date: "2026-01-31".into(),
            git: true,
        });
        assert!(prompt.len() < 3000, "{} bytes", prompt.len());
        let place = prompt.split_once("# Here").unwrap().1;
        insta::assert_snapshot!(place, @"

        - Directory: /p (a git repository)
        - Also part of the project: /q
        - System: linux x86_64
        - Date: 2026-01-31
        ");
    }
}
