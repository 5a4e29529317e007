//! Adding servers to the user's file, and taking them out: all else in it stays as it is.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::mcp::{self, McpServerSettings};
use super::{check, layers};
use crate::place::{at, in_one_line, line_of_error};
use crate::private;

/// Adds a server at the end of a file that need not be there.
pub fn add_server(file: &Path, name: &str, server: &McpServerSettings) -> Result<(), String> {
    if !mcp::is_name(name) {
        return Err(format!("`{name}`: {}", mcp::NAMED));
    }
    let (file, source, table) = read(file)?;
    if mcp::names(&table).iter().any(|known| known == name) {
        return Err(format!("there is a server `{name}` already"));
    }
    let gap = match source.as_str() {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let new = format!("{source}{gap}{}", section(name, server));
    let Ok(table) = new.parse::<Table>() else {
        let place = file.display();
        return Err(format!(
            "{place}: `mcp` is written in a way that cannot be added to; add the server by hand"
        ));
    };
    let (_, wrong) = check::read(table);
    let path = ["mcp", "servers", name];
    if let Some(wrong) = wrong
        .iter()
        .find(|wrong| wrong.path.starts_with(&path.map(str::to_owned)))
    {
        return Err(wrong.message.clone());
    }
    write(&file, &new)
}

/// Takes a server out of a file. `Ok(false)` if it is not there.
pub fn remove_server(file: &Path, name: &str) -> Result<bool, String> {
    let (file, source, mut table) = read(file)?;
    if !mcp::names(&table).iter().any(|known| known == name) {
        return Ok(false);
    }
    let new = without(&source, name);
    let path = ["mcp", "servers", name].map(str::to_owned);
    layers::leave_out(&mut table, &path);
    let left: Option<Table> = new.parse().ok();
    // A section that has become empty need not be there.
    if left.map(|left| check::read(left).0) == Some(check::read(table).0) {
        write(&file, &new)?;
        return Ok(true);
    }
    let line = layers::line_of(&source, &path).unwrap_or(1);
    let place = at(&file, line);
    Err(format!(
        "{place}: it is not in a section of its own; take it out by hand"
    ))
}

/// The file that a name leads to, what is in it, and what that means.
fn read(file: &Path) -> Result<(PathBuf, String, Table), String> {
    // A link stays one.
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let source = match fs_err::read_to_string(&file) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.to_string()),
    };
    let table = source.parse().map_err(|error: toml::de::Error| {
        let place = at(&file, line_of_error(&source, &error));
        format!("{place}: {}", in_one_line(error.message()))
    })?;
    Ok((file, source, table))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let written = match file.parent() {
        Some(dir) => private::create_dir(dir),
        None => Ok(()),
    };
    let written = written.and_then(|()| private::replace(file, text.as_bytes()));
    written.map_err(|error| format!("{}: {error}", file.display()))
}

/// `[mcp.servers.NAME]`
fn section(name: &str, server: &McpServerSettings) -> String {
    let table = |map: &std::collections::BTreeMap<String, String>| {
        let pairs = map.iter();
        let pairs = pairs.map(|(key, value)| (key.clone(), value.as_str().into()));
        (!map.is_empty()).then(|| Value::Table(pairs.collect()))
    };
    let text = |text: &Option<String>| text.as_deref().map(Value::from);
    let args = (!server.args.is_empty()).then(|| Value::from(server.args.clone()));
    let dir = server.cwd.as_ref().map(|dir| dir.display().to_string());
    let lines = [
        ("command", text(&server.command)),
        ("args", args),
        ("env", table(&server.env)),
        ("cwd", text(&dir)),
        ("url", text(&server.url)),
        ("headers", table(&server.headers)),
    ];
    let mut section = format!("[mcp.servers.{name}]\n");
    for (key, value) in lines {
        if let Some(value) = value {
            writeln!(section, "{key} = {value}").expect("a String takes any text");
        }
    }
    section
}

/// The text without the sections of a server. Comments before the next one belong to that.
fn without(source: &str, name: &str) -> String {
    let mut kept = String::new();
    // What may be the end of a section, or the beginning of the next.
    let mut between = String::new();
    let mut inside = false;
    for line in source.split_inclusive('\n') {
        let bare = line.trim();
        let header = bare.starts_with('[').then(|| line.parse::<Table>().ok());
        if let Some(table) = header.flatten() {
            let was_inside = std::mem::replace(&mut inside, mcp::names(&table) == [name]);
            if !(was_inside && inside) {
                kept.push_str(&between);
            }
            between.clear();
        }
        match (inside, bare.is_empty() || bare.starts_with('#')) {
            (true, true) => between.push_str(line),
            (true, false) => between.clear(),
            (false, _) => kept.push_str(line),
        }
    }
    kept.push_str(&between);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(command: &str, args: &[&str]) -> McpServerSettings {
        McpServerSettings {
            command: Some(command.into()),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            ..McpServerSettings::default()
        }
    }

    fn file(source: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("home/config.toml");
        if !source.is_empty() {
            std::fs::create_dir(dir.path().join("home")).unwrap();
            std::fs::write(&file, source).unwrap();
        }
        (dir, file)
    }

    #[test]
    fn what_is_added_is_read_and_what_was_there_stays() {
        let source = "# mine\nmodel = 'a' # this one\n\n# keys\n[ui]\nvim = true";
        let (_dir, file) = file(source);
        let mut docs = program("npx", &["-y", "it's \"x\"\n"]);
        docs.env.insert("TOKEN".into(), "${T}".into());
        add_server(&file, "docs", &docs).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(source), "{text}");
        let (settings, problems) = super::super::load(&file, None, &[]);
        assert_eq!(problems, []);
        assert_eq!(settings.mcp.servers["docs"], docs);
        let again = add_server(&file, "docs", &docs).unwrap_err();
        assert_eq!(again, "there is a server `docs` already");
        assert_eq!(remove_server(&file, "docs"), Ok(true));
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            format!("{source}\n\n")
        );
        assert_eq!(remove_server(&file, "docs"), Ok(false));
    }

    #[test]
    fn a_file_is_made_and_a_name_that_cannot_be_is_refused() {
        let (_dir, file) = file("");
        let bad = add_server(&file, "a b", &program("x", &[])).unwrap_err();
        assert_eq!(
            bad,
            "`a b`: a server's name is made of letters, digits, `-` and `_`"
        );
        assert!(!file.exists());
        let empty = add_server(&file, "a", &McpServerSettings::default()).unwrap_err();
        assert_eq!(empty, "`mcp.servers.a`: `command` or `url` is missing");
        add_server(&file, "a", &program("x", &[])).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, "[mcp.servers.a]\ncommand = \"x\"\n");
    }

    #[test]
    fn sections_and_their_parts_are_taken_out_and_no_more() {
        let source = "\
# first
[mcp.servers.a]
command = 'x' # this
# about args
args = [
  '[b]',
]

# its variables
[mcp.servers.a.env]
X = '1'

# second
[mcp.servers.b]
command = 'y'
";
        let (_dir, file) = file(source);
        assert_eq!(remove_server(&file, "a"), Ok(true));
        let left = std::fs::read_to_string(&file).unwrap();
        assert_eq!(
            left,
            "# first\n\n# second\n[mcp.servers.b]\ncommand = 'y'\n"
        );
    }

    #[test]
    fn what_is_written_otherwise_is_left_alone() {
        let source = "mcp = { servers = { a = { command = 'x' } } }\n";
        let (_dir, file) = file(source);
        let place = file.canonicalize().unwrap();
        let place = place.display();
        assert_eq!(
            remove_server(&file, "a").unwrap_err(),
            format!("{place}:1: it is not in a section of its own; take it out by hand")
        );
        let added = add_server(&file, "b", &program("y", &[])).unwrap_err();
        assert!(added.ends_with("add the server by hand"), "{added}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), source);
    }
}
