//! Findings, one line each: a mark, what was looked at, what was found, and how to mend it.

use std::fmt;

use pollux_types::untrusted::visible;

/// No line is longer.
const WIDTH: usize = 80;

/// Where the findings begin.
const INDENT: usize = 19;

/// How good a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Ok,
    Warn,
    Fail,
    /// Not looked at.
    Skip,
}

/// One finding.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) mark: Mark,
    pub(crate) name: &'static str,
    pub(crate) found: String,
    pub(crate) mend: Option<String>,
}

impl Check {
    pub(crate) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(Mark::Ok, name, found)
    }

    pub(crate) fn warn(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(Mark::Warn, name, found)
    }

    pub(crate) fn fail(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(Mark::Fail, name, found)
    }

    pub(crate) fn skip(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(Mark::Skip, name, found)
    }

    /// What to do about it.
    pub(crate) fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend = Some(mend.into());
        self
    }

    fn new(mark: Mark, name: &'static str, found: impl Into<String>) -> Self {
        Self {
            mark,
            name,
            found: found.into(),
            mend: None,
        }
    }
}

/// Whole lines. What servers and files say is made safe to show.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.mark {
            Mark::Ok => "ok",
            Mark::Warn => "warn",
            Mark::Fail => "fail",
            Mark::Skip => "skip",
        };
        let head = format!("{mark:<5} {:<13}", self.name);
        lines(f, &head, &self.found)?;
        match &self.mend {
            Some(mend) => lines(f, &format!("{:>INDENT$}", "-> "), mend),
            None => Ok(()),
        }
    }
}

fn lines(f: &mut fmt::Formatter<'_>, head: &str, text: &str) -> fmt::Result {
    let mut head = head;
    for line in wrapped(&visible(text), WIDTH - INDENT) {
        writeln!(f, "{head:<INDENT$}{line}")?;
        head = "";
    }
    Ok(())
}

/// The words of a text in lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        // What is longer than a line is cut wherever the line ends.
        for piece in letters.chunks(width) {
            let line = lines.last_mut().expect("there is always a line");
            let used = line.chars().count();
            if used > 0 && used + 1 + piece.len() > width {
                lines.push(piece.iter().collect());
            } else {
                if used > 0 {
                    line.push(' ');
                }
                line.extend(piece);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_marked_wrapped_and_safe() {
        let checks = [
            Check::ok("streaming", "in 12 pieces"),
            Check::fail(
                "models",
                "the server says \x1b[31mnothing\nthat could be of any use to anybody who wants to know",
            )
            .mend("look at its log; a line that goes on and on is wrapped so that it fits here"),
            Check::skip("address", "x".repeat(70)),
        ];
        let shown: String = checks.iter().map(ToString::to_string).collect();
        assert!(shown.lines().all(|line| line.chars().count() <= WIDTH));
        insta::assert_snapshot!(shown, @r"
        ok    streaming    in 12 pieces
        fail  models       the server says \e[31mnothing that could be of any use to
                           anybody who wants to know
                        -> look at its log; a line that goes on and on is wrapped so
                           that it fits here
        skip  address      xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                           xxxxxxxxx
        ");
    }
}
