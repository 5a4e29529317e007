//! From a file and `KEY=VALUE` pairs to [`Settings`].

use std::fmt;
use std::io;
use std::path::Path;

use pollux_types::nearest;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::Settings;

/// The sections and top-level settings there are.
const NAMES: &[&str] = &[
    "provider",
    "model",
    "providers",
    "models",
    "local",
    "approval",
    "sandbox",
    "shell",
    "retry",
    "agent",
    "text_calls",
    "think",
];

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is: a file with a line, or the flag.
    pub place: String,
    /// What is wrong with it and what was expected.
    pub message: String,
    /// Which model answers may depend on it: without it, what is said may go to somebody else.
    pub decides_the_model: bool,
}

impl Problem {
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

/// Reads the file, if there is one, and lays the pairs over it.
pub fn load(file: &Path, pairs: &[String]) -> (Settings, Vec<Problem>) {
    let mut problems = Vec::new();
    let source = match fs_err::read_to_string(file) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            problems.push(problem(&file.display(), &error).deciding());
            String::new()
        }
    };
    let mut table = source.parse::<Table>().unwrap_or_else(|error| {
        let line = error.span().map_or(1, |span| line_at(&source, span.start));
        problems.push(problem(&at(file, line), &error.message()).deciding());
        Table::new()
    });
    // What the file gets wrong is its own; what is wrong after that, the pairs have brought.
    let mut wrong = Vec::new();
    read(table.clone(), &mut |name, error| {
        let line = line_of(&source, name).unwrap_or(1);
        let found = problem(&at(file, line), error);
        let decides = ["provider", "model", "providers", "local"].contains(&name);
        problems.push(if decides { found.deciding() } else { found });
        wrong.push(name.to_owned());
    });
    table.retain(|name, _| wrong.iter().all(|bad| bad != name));
    for pair in pairs {
        if let Err(error) = lay_over(&mut table, pair) {
            problems.push(problem(&format_args!("--config {pair}"), &error));
        }
    }
    let settings = read(table, &mut |_, error| {
        problems.push(problem(&"--config", error));
    });
    (settings, problems)
}

fn problem(place: &dyn fmt::Display, message: &dyn fmt::Display) -> Problem {
    Problem {
        place: place.to_string(),
        message: message.to_string().trim_end().replace('\n', " "),
        decides_the_model: false,
    }
}

fn at(file: &Path, line: usize) -> String {
    format!("{}:{line}", file.display())
}

/// Sets `a.b.c=VALUE`; what is no TOML value is taken for text.
fn lay_over(table: &mut Table, pair: &str) -> Result<(), String> {
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

fn read(mut table: Table, report: &mut impl FnMut(&str, &dyn fmt::Display)) -> Settings {
    for name in table.keys().filter(|name| !NAMES.contains(&name.as_str())) {
        let hint = nearest(name, NAMES.iter().copied())
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        report(name, &format_args!("unknown setting `{name}`{hint}"));
    }
    Settings {
        provider: section(&mut table, "provider", report),
        model: section(&mut table, "model", report),
        providers: section(&mut table, "providers", report),
        models: section(&mut table, "models", report),
        local: section(&mut table, "local", report),
        approval: section(&mut table, "approval", report),
        sandbox: section(&mut table, "sandbox", report),
        shell: section(&mut table, "shell", report),
        retry: section(&mut table, "retry", report),
        agent: section(&mut table, "agent", report),
        text_calls: section(&mut table, "text_calls", report),
        think: section(&mut table, "think", report),
    }
}

fn section<T: DeserializeOwned + Default>(
    table: &mut Table,
    name: &str,
    report: &mut impl FnMut(&str, &dyn fmt::Display),
) -> T {
    let Some(value) = table.remove(name) else {
        return T::default();
    };
    value.try_into().unwrap_or_else(|error: toml::de::Error| {
        report(name, &format_args!("`{name}`: {}", error.message()));
        T::default()
    })
}

/// Where a section or a top-level setting begins.
fn line_of(source: &str, name: &str) -> Option<usize> {
    let begins = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix('[').unwrap_or(line);
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    source.lines().position(begins).map(|at| at + 1)
}

fn line_at(source: &str, byte: usize) -> usize {
    source
        .bytes()
        .take(byte)
        .filter(|byte| *byte == b'\n')
        .count()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The settings, and what is said about them with the file called `F`.
    fn loaded(source: &str, pairs: &[&str]) -> (Settings, String) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        if !source.is_empty() {
            std::fs::write(&file, source).unwrap();
        }
        let pairs: Vec<String> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
        let (settings, problems) = load(&file, &pairs);
        let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
        (
            settings,
            said.join("\n").replace(&file.display().to_string(), "F"),
        )
    }

    #[test]
    fn a_file_is_read_and_pairs_win() {
        let source = "model = 'a'\n[retry]\nmax_attempts = 2\n[providers.lab]\nkind = 'openai'\n";
        let pairs = [
            "retry.max_attempts=1",
            "provider=lab",
            "shell.command_timeout_ms=5",
        ];
        let (settings, said) = loaded(source, &pairs);
        assert_eq!(said, "");
        assert_eq!(settings.model.as_deref(), Some("a"));
        assert_eq!(settings.provider.as_deref(), Some("lab"));
        assert_eq!(settings.retry.max_attempts, Some(1));
        assert_eq!(settings.shell.command_timeout_ms, Some(5));
        assert_eq!(settings.providers["lab"].kind, "openai");
    }

    #[test]
    fn models_for_tasks_have_their_names() {
        let source = "[models]\nfast = 'lab/a'\nstrong = 'lab/b'\nfallback = ['lab/c']\n";
        let (settings, said) = loaded(source, &[]);
        assert_eq!(said, "");
        assert_eq!(settings.models.fast.as_deref(), Some("lab/a"));
        assert_eq!(settings.models.strong.as_deref(), Some("lab/b"));
        assert_eq!(settings.models.fallback, ["lab/c"]);
    }

    #[test]
    fn no_file_means_no_settings() {
        assert_eq!(loaded("", &[]), (Settings::default(), String::new()));
    }

    #[test]
    fn a_bad_setting_costs_only_its_section() {
        let source = "model = 'a'\n\n[retry]\nmax_attempts = 'many'\n\n[agnet]\nmax_turns = 3\n";
        let (settings, said) = loaded(source, &[]);
        assert_eq!(settings.model.as_deref(), Some("a"));
        assert_eq!(settings.retry.max_attempts, None);
        insta::assert_snapshot!(said, @r#"
        F:6: unknown setting `agnet`; did you mean `agent`?
        F:3: `retry`: invalid type: string "many", expected u32
        "#);
    }

    #[test]
    fn a_file_that_is_no_toml_is_placed() {
        let (settings, said) = loaded("model = 'a'\n= 3\n", &["model=b"]);
        assert_eq!(settings.model.as_deref(), Some("b"));
        assert!(said.starts_with("F:2: "), "{said}");
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        std::fs::write(&file, "[providers.lab]\nknid = 1\n[retry]\nx = 1\n").unwrap();
        let deciding: Vec<bool> = load(&file, &[])
            .1
            .iter()
            .map(|problem| problem.decides_the_model)
            .collect();
        assert_eq!(deciding, [true, false]);
    }

    #[test]
    fn a_bad_pair_is_named() {
        insta::assert_snapshot!(loaded("", &["nonsense", "retry.x=1", "a.b=1"]).1, @"
        --config nonsense: expected KEY=VALUE
        --config: unknown setting `a`
        --config: `retry`: unknown field `x`, expected `max_attempts` or `idle_timeout_secs`
        ");
    }
}
