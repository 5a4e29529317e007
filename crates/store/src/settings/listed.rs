//! What is set, and by whom, for people to see.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use super::fields::is_variable;
use super::layers::{key_of, lay_over, line_of};
use super::mcp;
use super::project::{self, ProjectSettings};
use crate::place::at;

/// A setting that somebody has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name and its value, as they are written in a file; what may be a secret is left out.
    pub setting: String,
    /// A file with a line, or the flag.
    pub place: String,
}

/// All that is set: in the user's file, by the project, by `KEY=VALUE` pairs. Of what is set twice,
/// that which counts.
pub fn listed(file: &Path, project: Option<&ProjectSettings>, pairs: &[String]) -> Vec<Listed> {
    let mut all = BTreeMap::new();
    let source = fs_err::read_to_string(file).unwrap_or_default();
    let users = source.parse().unwrap_or_default();
    all.extend(in_file(file, &source, &users));
    if let Some(project) = project
        && let Ok(source) = &project.source
    {
        let mut table = source.parse().unwrap_or_default();
        project::take_refused(&mut table);
        mcp::take_taken(&users, &mut table);
        all.extend(in_file(&project.file, source, &table));
    }
    for pair in pairs {
        let mut table = Table::new();
        if lay_over(&mut table, pair).is_ok() {
            let place = format!("--config {}", key_of(pair));
            let set = leaves(&table).into_iter();
            all.extend(set.map(|(path, value)| (path.clone(), told(&path, &value, place.clone()))));
        }
    }
    all.into_values().collect()
}

fn in_file(
    file: &Path,
    source: &str,
    table: &Table,
) -> impl Iterator<Item = (Vec<String>, Listed)> {
    leaves(table).into_iter().map(move |(path, value)| {
        let place = at(file, line_of(source, &path).unwrap_or(1));
        let told = told(&path, &value, place);
        (path, told)
    })
}

/// Everything in a table that is no table.
fn leaves(table: &Table) -> Vec<(Vec<String>, Value)> {
    let leaves = table.iter().flat_map(|(name, value)| match value {
        Value::Table(inner) => leaves(inner)
            .into_iter()
            .map(|(path, value)| ([vec![name.clone()], path].concat(), value))
            .collect(),
        value => vec![(vec![name.clone()], value.clone())],
    });
    leaves.collect()
}

fn told(path: &[String], value: &Value, place: String) -> Listed {
    let key: Vec<String> = path.iter().map(|name| quoted(name)).collect();
    let key = key.join(".");
    let shown = if may_be_secret(path, value) {
        "(not shown)".to_owned()
    } else {
        value.to_string()
    };
    Listed {
        setting: format!("{key} = {shown}"),
        place,
    }
}

/// What goes to a server may hold a key, and somebody may have put one where its variable belongs.
fn may_be_secret(path: &[String], value: &Value) -> bool {
    if let [mcp, _, _, what, ..] = path
        && mcp == "mcp"
    {
        return ["env", "headers"].contains(&what.as_str());
    }
    let [first, _, what, ..] = path else {
        return false;
    };
    let is_variable = || value.as_str().is_some_and(is_variable);
    first == "providers"
        && match what.as_str() {
            "headers" | "body" => true,
            "api_key_env" => !is_variable(),
            _ => false,
        }
}

fn quoted(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if name.chars().all(is_bare) {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_is_told_with_its_place_and_without_secrets() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        let text = "model = \"a\"\n[ui]\nvim = true\ntheme = \"none\"\n\
                    [providers.lab]\nkind = \"openai\"\napi_key_env = \"sk-secret\"\n\
                    headers = { x-key = \"secret\" }\n\
                    [mcp.servers.docs]\ncommand = \"npx\"\nenv = { TOKEN = \"secret\" }\n[prices.\"a/b\"]\ninput = 1.0\n";
        std::fs::write(&file, text).unwrap();
        let project = ProjectSettings {
            file: "/p/.pollux/config.toml".into(),
            source: Ok("model = \"b\"\n[approval]\nmode = \"yolo\"\n\
                        [mcp.servers.docs]\ncommand = \"theirs\"\n"
                .to_owned()),
        };
        let pairs = ["ui.vim=false".to_owned(), "no pair".to_owned()];
        let all = listed(&file, Some(&project), &pairs);
        let lines: Vec<String> = all
            .iter()
            .map(|Listed { setting, place }| format!("{setting} ({place})"))
            .collect();
        let text = lines
            .join("\n")
            .replace(dir.path().to_str().unwrap(), "HOME");
        insta::assert_snapshot!(text, @r#"
        mcp.servers.docs.command = "npx" (HOME/config.toml:10)
        mcp.servers.docs.env.TOKEN = (not shown) (HOME/config.toml:11)
        model = "b" (/p/.pollux/config.toml:1)
        prices."a/b".input = 1.0 (HOME/config.toml:13)
        providers.lab.api_key_env = (not shown) (HOME/config.toml:7)
        providers.lab.headers.x-key = (not shown) (HOME/config.toml:8)
        providers.lab.kind = "openai" (HOME/config.toml:6)
        ui.theme = "none" (HOME/config.toml:4)
        ui.vim = false (--config ui.vim)
        "#);
        assert_eq!(listed(&dir.path().join("none"), None, &[]), []);
    }
}
