//! From the user's file, a project's and `KEY=VALUE` pairs to [`Settings`].

use std::fmt;
use std::io;
use std::path::Path;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::Settings;
use super::check::{self, Wrong};
use super::mcp;
use super::project::{self, ProjectSettings};
use crate::place::{at, in_one_line, line_at, line_of_error};

/// What says which model answers: without it, what is said may go to somebody else.
const DECIDING: [&str; 4] = ["provider", "model", "providers", "local"];

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is: a file with a line, or the flag.
    pub place: String,
    /// What is wrong with it and what was expected.
    pub message: String,
    /// Which model answers may depend on it: without it, what is said may go to somebody else.
    pub decides_the_model: bool,
    /// The provider that cannot be used because of it.
    pub provider: Option<String>,
    /// A flag has brought it.
    pub from_flag: bool,
}

impl Problem {
    fn new(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self {
            place: place.to_string(),
            message: in_one_line(&message.to_string()),
            decides_the_model: false,
            provider: None,
            from_flag: false,
        }
    }

    fn deciding(mut self) -> Self {
        self.decides_the_model = true;
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Reads the file, if there is one, and lays the project's settings over it, and the pairs over both.
pub fn load(
    file: &Path,
    project: Option<&ProjectSettings>,
    pairs: &[String],
) -> (Settings, Vec<Problem>) {
    let mut problems = Vec::new();
    let source = match fs_err::read_to_string(file) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            problems.push(Problem::new(file.display(), error).deciding());
            String::new()
        }
    };
    let (mut table, told) = parsed(file, &source);
    problems.extend(told);
    // What a file gets wrong is its own; what is wrong after that, the pairs have brought.
    let (mut in_files, told) = without_wrong(file, &source, &mut table);
    problems.extend(told);
    let mut projects_servers = Vec::new();
    if let Some(project) = project {
        let (mut above, wrong, told) = of_project(project, file);
        problems.extend(told);
        problems.extend(without_taken(project, &table, &mut above));
        projects_servers = mcp::names(&above);
        merge(&mut table, above);
        in_files.extend(wrong);
    }
    for pair in pairs {
        if let Err(error) = lay_over(&mut table, pair) {
            let place = format_args!("--config {}", key_of(pair));
            problems.push(Problem {
                from_flag: true,
                ..Problem::new(place, error)
            });
        }
    }
    let (mut settings, wrong) = check::read(table);
    for (name, server) in &mut settings.mcp.servers {
        server.from_project = projects_servers.contains(name);
    }
    // Pairs alone make no provider, where the file's part of it had to be left out.
    let known = |new: &Wrong| in_files.iter().any(|old| old.cost() == new.path);
    let of_pairs = wrong.iter().filter(|wrong| !known(wrong));
    problems.extend(of_pairs.map(|wrong| Problem {
        from_flag: true,
        ..Problem::new(pair_of(pairs, &wrong.path), &wrong.message)
    }));
    (settings, problems)
}

/// The settings of a project, but for what is wrong with them and what is not for it to set; with
/// what is told of that. `users` is the user's own file.
fn of_project(project: &ProjectSettings, users: &Path) -> (Table, Vec<Wrong>, Vec<Problem>) {
    let file = &project.file;
    let source = match &project.source {
        Ok(source) => source,
        Err(error) => {
            let told = Problem::new(file.display(), error).deciding();
            return (Table::new(), vec![], vec![told]);
        }
    };
    let (mut table, mut problems) = parsed(file, source);
    let refused = project::take_refused(&mut table);
    problems.extend(project::keys(&refused).iter().map(|path| {
        let message = format!(
            "`{}`: not for a project to set, since {}; it can be set in {}",
            path.join("."),
            project::why(&path[0]),
            users.display()
        );
        Problem::new(at(file, line_of(source, path).unwrap_or(1)), message)
    }));
    let (wrong, told) = without_wrong(file, source, &mut table);
    problems.extend(told);
    (table, wrong, problems)
}

/// Leaves out the servers of a project whose names are those of the user's own: a name never means
/// something else because of the folder that one is in.
fn without_taken(project: &ProjectSettings, users: &Table, above: &mut Table) -> Vec<Problem> {
    let taken = mcp::take_taken(users, above);
    let told = taken.iter().map(|name| {
        let path = ["mcp", "servers", name].map(str::to_owned);
        let source = project.source.as_deref().unwrap_or_default();
        let place = at(&project.file, line_of(source, &path).unwrap_or(1));
        let message = "you have a server of this name, which counts";
        Problem::new(place, format!("`{}`: {message}", path.join(".")))
    });
    told.collect()
}

/// What a file says, or nothing if it is no TOML.
fn parsed(file: &Path, source: &str) -> (Table, Vec<Problem>) {
    match source.parse() {
        Ok(table) => (table, vec![]),
        Err(error) => {
            let error: toml::de::Error = error;
            let place = at(file, line_of_error(source, &error));
            let problem = Problem::new(place, error.message()).deciding();
            (Table::new(), vec![problem])
        }
    }
}

/// Leaves out of a file's settings what cannot be used, and tells of it.
fn without_wrong(file: &Path, source: &str, table: &mut Table) -> (Vec<Wrong>, Vec<Problem>) {
    let (_, wrong) = check::read(table.clone());
    let told = wrong.iter().map(|wrong| {
        let place = at(file, line_of(source, &wrong.path).unwrap_or(1));
        let decides = DECIDING.contains(&wrong.path[0].as_str()) && wrong.provider().is_none();
        Problem {
            decides_the_model: decides,
            provider: wrong.provider().cloned(),
            ..Problem::new(place, &wrong.message)
        }
    });
    let told = told.collect();
    for wrong in &wrong {
        leave_out(table, wrong.cost());
    }
    (wrong, told)
}

/// Lays one table over another, setting by setting.
fn merge(below: &mut Table, above: Table) {
    for (name, value) in above {
        match (below.get_mut(&name), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            (_, value) => drop(below.insert(name, value)),
        }
    }
}

/// The flag that has brought a setting, without its value, which may be a secret.
fn pair_of(pairs: &[String], path: &[String]) -> String {
    let path = format!("{}.", path.join("."));
    let mut keys = pairs.iter().map(|pair| key_of(pair));
    let key = keys.rfind(|key| {
        let key = format!("{key}.");
        path.starts_with(&key) || key.starts_with(&path)
    });
    key.map_or_else(|| "--config".to_owned(), |key| format!("--config {key}"))
}

pub(super) fn key_of(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(key, _)| key).trim()
}

/// Takes away what `path` leads to.
pub(super) fn leave_out(table: &mut Table, path: &[String]) {
    match path {
        [] => {}
        [last] => drop(table.remove(last)),
        [first, rest @ ..] => {
            if let Some(Value::Table(inner)) = table.get_mut(first) {
                leave_out(inner, rest);
            }
        }
    }
}

/// Sets `a.b.c=VALUE`; what is no TOML value is taken for text.
pub(super) fn lay_over(table: &mut Table, pair: &str) -> Result<(), String> {
    let (key, value) = pair.split_once('=').ok_or("expected KEY=VALUE")?;
    let value = format!("x = {}", value.trim())
        .parse::<Table>()
        .ok()
        .and_then(|mut parsed| parsed.remove("x"))
        .unwrap_or_else(|| Value::String(value.to_owned()));
    let (path, last) = match key.trim().rsplit_once('.') {
        Some((path, last)) => (path.split('.').collect(), last),
        None => (Vec::new(), key.trim()),
    };
    let mut here = table;
    for name in path {
        let entry = here
            .entry(name)
            .or_insert_with(|| Value::Table(Table::new()));
        here = entry
            .as_table_mut()
            .ok_or(format!("`{name}` is no section"))?;
    }
    here.insert(last.to_owned(), value);
    Ok(())
}

/// Where a file has the setting at `path`, if it has it.
pub fn place_of(file: &Path, path: &[&str]) -> Option<String> {
    let source = fs_err::read_to_string(file).ok()?;
    let path: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
    Some(at(file, line_of(&source, &path)?))
}

/// Where the setting at `path` stands.
pub(super) fn line_of(source: &str, path: &[String]) -> Option<usize> {
    let document = DeTable::parse(source).ok()?;
    let mut table = document.get_ref();
    let mut place = None;
    for name in path {
        let (key, value): (&Spanned<_>, &Spanned<DeValue<'_>>) =
            table.iter().find(|(key, _)| key.get_ref() == name)?;
        place = Some(key.span().start);
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    place.map(|byte| line_at(source, byte))
}

#[cfg(test)]
mod tests;
