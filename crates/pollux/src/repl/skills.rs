//! `/skills`: listing them, and having the model use one.

use pollux_tui::program::{Answer, Choice};
use pollux_types::{Skill, nearest};

const NONE: &str = "there are no skills: put folders with a SKILL.md into ~/.pollux/skills, or into \
                    .pollux/skills or .agents/skills of a project that you trust";

/// What is told to the person, and to the model on their behalf.
pub(super) fn answer(words: &str, skills: &[Skill]) -> Answer {
    let (name, task) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let text = if skills.is_empty() {
        NONE.to_owned()
    } else if name.is_empty() {
        return Answer {
            rows: skills.iter().map(row).collect(),
            ..Answer::default()
        };
    } else if skills.iter().any(|skill| skill.name == name) {
        return Answer {
            message: Some(asked(name, task.trim())),
            ..Answer::default()
        };
    } else {
        let names = skills.iter().map(|skill| skill.name.as_str());
        match nearest(name, names) {
            Some(meant) => format!("there is no skill `{name}`; did you mean `{meant}`?"),
            None => format!("there is no skill `{name}`; `/skills` lists them"),
        }
    };
    Answer {
        text,
        ..Answer::default()
    }
}

/// What can be chosen.
pub(super) fn choices(skills: &[Skill]) -> Vec<Choice> {
    let choice = |skill: &Skill| Choice {
        word: skill.name.clone(),
        description: skill.description.clone(),
    };
    skills.iter().map(choice).collect()
}

fn asked(name: &str, task: &str) -> String {
    match task {
        "" => format!("Use the skill `{name}`."),
        task => format!("Use the skill `{name}`: {task}"),
    }
}

/// What each is for, and where it is.
fn row(skill: &Skill) -> (String, String) {
    let Skill {
        name,
        description,
        folder,
        ..
    } = skill;
    (
        name.clone(),
        format!("{description} ({})", folder.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_for_the_model_and_nothing_else_is() {
        let skills = [Skill {
            name: "pdf".into(),
            description: "Makes PDFs.".into(),
            instructions: String::new(),
            folder: "/s/pdf".into(),
        }];
        let told = |words: &str| answer(words, &skills);
        let row = ("pdf".to_owned(), "Makes PDFs. (/s/pdf)".to_owned());
        assert_eq!(told("").rows, [row]);
        assert_eq!(told("pdf").message.unwrap(), "Use the skill `pdf`.");
        assert_eq!(
            told("pdf  of a.md").message.unwrap(),
            "Use the skill `pdf`: of a.md"
        );
        let unknown = told("pfd");
        assert_eq!(
            (unknown.text.as_str(), unknown.message),
            ("there is no skill `pfd`; did you mean `pdf`?", None)
        );
        assert_eq!(answer("pdf", &[]).text, NONE);
    }
}
