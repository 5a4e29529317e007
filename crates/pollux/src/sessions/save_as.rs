//! A session as a file of its own, where nothing is overwritten.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::{Format, exported, found};
use crate::environment::Environment;
use crate::failure::Failure;

/// Writes this session into a file, as the words say: `[md|html|jsonl] [FILE]`. Tells where.
pub(crate) fn save_as(
    session: &str,
    words: &str,
    cwd: &Path,
    environment: &Environment,
) -> Result<String, Failure> {
    let Ok(found) = found(&environment.home()?, cwd, session) else {
        return Err(Failure::input("nothing has been said in this session yet"));
    };
    let (format, file) = understood(words)?;
    let document = exported(&found, format)?;
    let named = file.map(|file| cwd.join(at_home(file, environment)));
    let written = match named {
        Some(file) => write(&file, &document).map(|()| file),
        None => write_free(&cwd.join(format!("pollux-{session}")), format, &document),
    };
    match written {
        Ok(file) => Ok(format!("the session is in {}", file.display())),
        Err(error) => Err(Failure::input(format!(
            "the session was not written: {error}"
        ))),
    }
}

/// The format counts that is named, or else that of the file's name.
fn understood(words: &str) -> Result<(Format, Option<&str>), Failure> {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let (named, file) = match Format::of(first) {
        Some(format) => (Some(format), rest.trim()),
        None => (None, words.trim()),
    };
    let ending = Path::new(file).extension();
    let by_name = ending.and_then(|ending| Format::of(ending.to_str()?));
    if file.is_empty() {
        return Ok((named.unwrap_or_default(), None));
    }
    let format = named.or(by_name).ok_or_else(|| {
        Failure::input(format!(
            "`{file}` names no format: there are md, html and jsonl"
        ))
        .hint("name one, and a file behind it if you like: `/export html talk.html`")
    })?;
    Ok((format, Some(file)))
}

/// `~/` is the user's home, as in a shell.
fn at_home(file: &str, environment: &Environment) -> PathBuf {
    match (file.strip_prefix("~/"), environment.var("HOME")) {
        (Some(below), Some(home)) => Path::new(home).join(below),
        _ => file.into(),
    }
}

/// A new file, for the user alone.
fn write(file: &Path, document: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let opened = options.write(true).create_new(true).mode(0o600).open(file);
    let told = |error: io::Error| {
        let why = match error.kind() {
            io::ErrorKind::AlreadyExists => "it is there already".to_owned(),
            _ => error.to_string(),
        };
        io::Error::new(error.kind(), format!("{}: {why}", file.display()))
    };
    let mut open = opened.map_err(told)?;
    open.write_all(document).map_err(told)
}

/// A new file with this name, or with a number behind it if there is one.
fn write_free(name: &Path, format: Format, document: &[u8]) -> io::Result<PathBuf> {
    let numbered = |number: usize| {
        let number = match number {
            1 => String::new(),
            number => format!("-{number}"),
        };
        PathBuf::from(format!("{}{number}.{}", name.display(), format.word()))
    };
    let mut number = 1;
    loop {
        let file = numbered(number);
        match write(&file, document) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {
                number += 1;
            }
            written => return written.map(|()| file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_named_or_that_of_the_file() {
        assert_eq!(understood("").unwrap(), (Format::Md, None));
        assert_eq!(understood("html").unwrap(), (Format::Html, None));
        assert_eq!(
            understood("a b.html").unwrap(),
            (Format::Html, Some("a b.html"))
        );
        assert_eq!(
            understood("jsonl a.md").unwrap(),
            (Format::Jsonl, Some("a.md"))
        );
        assert!(understood("pdf").is_err());
    }

    #[test]
    fn nothing_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let name = dir.path().join("s");
        let first = write_free(&name, Format::Md, b"1").unwrap();
        let second = write_free(&name, Format::Md, b"2").unwrap();
        assert_eq!(std::fs::read(&first).unwrap(), b"1");
        assert_eq!(second, dir.path().join("s-2.md"));
        let error = write(&first, b"3").unwrap_err();
        assert!(error.to_string().ends_with("s.md: it is there already"));
        assert_eq!(std::fs::read(&first).unwrap(), b"1");
    }
}
