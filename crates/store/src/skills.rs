//! Skills: folders with a `SKILL.md`, of the user's own and of a trusted project.
//!
//! What a project brings goes through [`Belongings`], so what the model is told is what was trusted.
//! A bad skill costs only itself, and is told with its line.

mod front_matter;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use pollux_types::Skill;

use crate::Home;
use crate::place::at;
use crate::private::open_to_read;
use crate::trust::Belongings;

/// The file that makes a folder a skill.
const FILE: &str = "SKILL.md";
/// Where a project has them; what comes later counts for more.
const PROJECT: [&str; 2] = [".agents/skills/", ".pollux/skills/"];
/// Bytes of the instructions of one.
const LONGEST: u64 = 64 << 10;
/// Bytes of all names and descriptions, which go to the model with every request.
const MOST_TOLD: usize = 8 << 10;

/// All skills by name, and what is wrong with others. Of two with the same name the project's counts.
pub fn read(home: &Home, project: Option<&Belongings>) -> (Vec<Skill>, Vec<String>) {
    let mut found = Found::default();
    found.of_user(&home.skills());
    for place in PROJECT {
        if let Some(project) = project {
            found.of_project(project, place);
        }
    }
    found.skills.sort_by(|a, b| a.name.cmp(&b.name));
    found.leave_out_what_is_too_much();
    (found.skills, found.problems)
}

#[derive(Default)]
struct Found {
    skills: Vec<Skill>,
    problems: Vec<String>,
}

impl Found {
    fn of_user(&mut self, dir: &Path) {
        let entries = match dir.read_dir() {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.tell(&error, dir),
        };
        let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        folders.sort();
        for folder in folders {
            let file = folder.join(FILE);
            match text_of(&file) {
                Ok(source) => {
                    // The user's own links lead where the user wants.
                    let real = folder.canonicalize().unwrap_or(folder);
                    self.take(&file, &source, real);
                }
                // A folder need not be a skill.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
                Err(error) => self.tell(&error, &file),
            }
        }
    }

    fn of_project(&mut self, project: &Belongings, place: &str) {
        let is_skill = |name: &&str| {
            let inside = name
                .strip_prefix(place)
                .and_then(|name| name.split_once('/'));
            inside.is_some_and(|(_, file)| file == FILE)
        };
        for name in project.names().filter(is_skill) {
            let file = Path::new(project.folder()).join(name);
            match project.read(name) {
                Ok(Some(source)) if source.len() as u64 > LONGEST => self.tell(&too_long(), &file),
                Ok(source) => {
                    let folder = file.parent().unwrap_or(&file).to_owned();
                    self.take(&file, &source.unwrap_or_default(), folder);
                }
                Err(why) => self.tell(&why, &file),
            }
        }
    }

    fn take(&mut self, file: &Path, source: &str, folder: PathBuf) {
        match front_matter::parse(source) {
            Ok(parsed) => {
                self.skills.retain(|skill| skill.name != parsed.name);
                self.skills.push(Skill {
                    name: parsed.name,
                    description: parsed.description,
                    instructions: parsed.body.to_owned(),
                    folder,
                });
            }
            Err((line, why)) => self.problems.push(format!("{}: {why}", at(file, line))),
        }
    }

    fn leave_out_what_is_too_much(&mut self) {
        let mut room = MOST_TOLD;
        let fits = |skill: &Skill| {
            let told = skill.name.len() + skill.description.len();
            room = room.saturating_sub(told);
            room > 0
        };
        let fitting = self
            .skills
            .iter()
            .map(fits)
            .take_while(|fits| *fits)
            .count();
        let left_out = self.skills.split_off(fitting);
        if let Some(first) = left_out.first() {
            let most = MOST_TOLD >> 10;
            self.problems.push(format!(
                "of what skills are for {most} KiB are told to the model, so `{}` and those behind \
                 it are left out: {} in all",
                first.name,
                left_out.len()
            ));
        }
    }

    fn tell(&mut self, problem: &dyn std::fmt::Display, file: &Path) {
        self.problems.push(format!("{}: {problem}", file.display()));
    }
}

/// The text of a file of the user's own, which may be a link.
fn text_of(file: &Path) -> io::Result<String> {
    let open = open_to_read(&file.canonicalize()?)?;
    let metadata = open.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    if metadata.len() > LONGEST {
        return Err(too_long());
    }
    let mut text = String::new();
    open.take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}

fn too_long() -> io::Error {
    io::Error::other(format!("it has more than {} KiB", LONGEST >> 10))
}

#[cfg(test)]
mod tests;
