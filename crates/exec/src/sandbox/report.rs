//! What the helper says about a command: a line each.

use std::fmt;
use std::path::PathBuf;

use super::Excess;

/// One thing it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// The sandbox holds, and the command runs in it.
    Started,
    /// There is no such sandbox here, or no such command. Nothing was run.
    Failed(String),
    /// The command ended by itself.
    Exited(i32),
    /// A signal ended it.
    Signalled(i32),
    /// It was ended, since it took too much of the machine.
    Exceeded(Excess),
    /// Something protected was changed meanwhile, and was put back.
    PutBack(PathBuf),
    /// What was found in its place is kept in this directory.
    KeptAside(PathBuf),
    /// Something protected was changed meanwhile, and could not be put back.
    Changed(PathBuf),
}

impl Report {
    /// Reads a line.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(match word {
            "started" => Self::Started,
            "failed" => Self::Failed(rest.to_owned()),
            "exited" => Self::Exited(rest.parse().ok()?),
            "signalled" => Self::Signalled(rest.parse().ok()?),
            "exceeded" => Self::Exceeded(Excess::parse(rest)?),
            "put-back" => Self::PutBack(rest.into()),
            "kept-aside" => Self::KeptAside(rest.into()),
            "changed" => Self::Changed(rest.into()),
            _ => return None,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A line is a line, whatever a path is called.
        let line = |text: &dyn fmt::Display| text.to_string().replace('\n', "?");
        match self {
            Self::Started => write!(f, "started"),
            Self::Failed(why) => write!(f, "failed {}", line(why)),
            Self::Exited(code) => write!(f, "exited {code}"),
            Self::Signalled(signal) => write!(f, "signalled {signal}"),
            Self::Exceeded(excess) => write!(f, "exceeded {excess}"),
            Self::PutBack(path) => write!(f, "put-back {}", line(&path.display())),
            Self::KeptAside(path) => write!(f, "kept-aside {}", line(&path.display())),
            Self::Changed(path) => write!(f, "changed {}", line(&path.display())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood() {
        for report in [
            Report::Started,
            Report::Failed("mounting /proc: no".into()),
            Report::Exited(-1),
            Report::Signalled(9),
            Report::Exceeded(Excess::Processes(7)),
            Report::Exceeded(Excess::Memory(8)),
            Report::PutBack("/a b/c".into()),
            Report::KeptAside("/a b/.x".into()),
            Report::Changed("/".into()),
        ] {
            assert_eq!(Report::parse(&report.to_string()), Some(report));
        }
        assert_eq!(Report::parse("exited much"), None);
        assert_eq!(Report::parse(""), None);
    }
}
