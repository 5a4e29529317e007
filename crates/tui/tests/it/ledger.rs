//! What was settled, and whether a terminal still shows all of it.

use pollux_tui::screen::Rewrap;
use unicode_width::UnicodeWidthChar as _;

use super::dice::is_live;
use super::terminals::Shown;

/// Everything that was settled, in order.
pub(super) struct Ledger {
    rewrap: Rewrap,
    lines: Vec<String>,
    /// The rows they took when they were printed, for terminals that keep those.
    rows: Vec<Printed>,
}

struct Printed {
    text: String,
    /// How narrow the terminal has been since; it may have cut that much.
    narrowest: usize,
}

impl Ledger {
    pub(super) fn new(rewrap: Rewrap) -> Self {
        Self {
            rewrap,
            lines: Vec::new(),
            rows: Vec::new(),
        }
    }

    pub(super) fn settle(&mut self, text: &str, width: usize) {
        self.lines.push(text.to_owned());
        let mut rows = vec![String::new()];
        let mut used = 0;
        for c in text.chars() {
            let columns = c.width().unwrap();
            if used + columns > width {
                rows.push(String::new());
                used = 0;
            }
            used += columns;
            rows.last_mut().unwrap().push(c);
        }
        self.rows.extend(rows.into_iter().map(|text| Printed {
            text,
            narrowest: width,
        }));
    }

    pub(super) fn resize(&mut self, width: usize) {
        for row in &mut self.rows {
            row.narrowest = row.narrowest.min(width);
        }
    }

    /// How many of `rows` are settled ones. Panics if they are not exactly what was settled.
    pub(super) fn count(&self, rows: &[Shown]) -> usize {
        match self.rewrap {
            Rewrap::Yes => {
                let mut count = 0;
                for line in &self.lines {
                    let (text, rows) = joined(&rows[count..]);
                    assert_eq!(squeezed(&text), squeezed(line), "settled, row {count}");
                    count += rows;
                }
                count
            }
            Rewrap::No => {
                for (index, printed) in self.rows.iter().enumerate() {
                    printed.check(&rows[index].text);
                }
                self.rows.len()
            }
        }
    }

    /// Panics if what was settled is not there, once and in order, whatever live text is left
    /// between. Nothing settled may be empty.
    pub(super) fn find(&self, mut rows: &[Shown]) {
        let mut found = Vec::new();
        while !rows.is_empty() {
            let (text, count) = match self.rewrap {
                Rewrap::Yes => joined(rows),
                Rewrap::No => (rows[0].text.clone(), 1),
            };
            found.push(text.replace(is_live, "").trim_end().to_owned());
            rows = &rows[count..];
        }
        found.retain(|text| !text.is_empty());
        match self.rewrap {
            Rewrap::Yes => {
                let found: Vec<String> = found.iter().map(|text| squeezed(text)).collect();
                let lines: Vec<String> = self.lines.iter().map(|line| squeezed(line)).collect();
                assert_eq!(found, lines, "settled");
            }
            Rewrap::No => {
                // Some rows of long lines are nothing but blanks.
                let rows = self.rows.iter().filter(|row| !row.text.trim().is_empty());
                let rows: Vec<&Printed> = rows.collect();
                assert_eq!(found.len(), rows.len(), "settled rows: {found:?}");
                for (printed, text) in rows.into_iter().zip(&found) {
                    printed.check(text);
                }
            }
        }
    }
}

impl Printed {
    fn check(&self, shown: &str) {
        let Self { text, narrowest } = self;
        assert!(text.starts_with(shown), "settled {text:?}, shown {shown:?}");
        let cut = &text[shown.len()..];
        let columns: usize = shown.chars().filter_map(char::width).sum();
        assert!(
            cut.trim().is_empty() || columns + 1 + blanks(cut) >= *narrowest,
            "settled {text:?}, shown {shown:?} at {narrowest}",
        );
    }
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// The line that begins with the first of `rows`, and how many it takes.
fn joined(rows: &[Shown]) -> (String, usize) {
    let count = rows.iter().take_while(|row| row.wrapped).count() + 1;
    let count = count.min(rows.len());
    let text = rows[..count].iter().map(|row| row.text.as_str()).collect();
    (text, count)
}

/// Without its blanks: terminals fill up a row where no wide character fits, and forget that they
/// did.
fn squeezed(text: &str) -> String {
    text.replace(' ', "")
}
