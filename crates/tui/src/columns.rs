//! Two columns, one below the other where the screen is narrow.

use unicode_width::UnicodeWidthStr as _;

use crate::line::Line;
use crate::style::{Color, Style};
use crate::wrap::{Indent, wrap};

/// A heading, and two columns below it.
pub(crate) struct Section {
    /// Nothing if it is empty.
    pub(crate) heading: String,
    pub(crate) rows: Vec<(String, String)>,
}

/// Sections with an empty line between them, whose columns are the same.
pub(crate) fn in_columns(sections: &[Section], width: usize) -> Vec<Line> {
    let column = column(sections, width);
    let mut lines = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        if at > 0 {
            lines.push(Line::default());
        }
        lines.extend(section.lines(column, width));
    }
    lines
}

/// The widest first column; what is wider stands on a line of its own.
const WIDEST: usize = 32;

/// Where the second column begins; `None` if there is no room for it beside the first.
fn column(sections: &[Section], width: usize) -> Option<usize> {
    let rows = sections.iter().flat_map(|section| &section.rows);
    let widths = rows.map(|(left, _)| left.width());
    let widest = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let column = widest + 4;
    (2 * column <= width).then_some(column)
}

impl Section {
    fn lines(&self, column: Option<usize>, width: usize) -> Vec<Line> {
        let heading = Line::new(&self.heading, Style::BOLD);
        let heading = Some(heading).filter(|_| !self.heading.is_empty());
        let rows = self.rows.iter();
        let rows = rows.flat_map(|(left, right)| row(left, right, column, width));
        heading.into_iter().chain(rows).collect()
    }
}

/// The second column stays one, or goes below the first where there is no room for both.
fn row(left: &str, right: &str, column: Option<usize>, width: usize) -> Vec<Line> {
    let style = Style::color(Color::MAGENTA);
    let right = Line::plain(right);
    let beside = column.filter(|column| left.width() + 4 <= *column);
    let rest = Line::plain(" ".repeat(column.unwrap_or(6)));
    if let Some(column) = beside {
        let gap = " ".repeat(column - 2 - left.width());
        let first = Line::new(format!("  {left}{gap}"), style);
        return wrap(&right, width, &Indent { first, rest });
    }
    let inside = Indent {
        first: Line::plain("  "),
        rest: Line::plain("    "),
    };
    let below = Indent {
        first: rest.clone(),
        rest,
    };
    let mut lines = wrap(&Line::new(left, style), width, &inside);
    lines.extend(wrap(&right, width, &below));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows, at a width.
    fn shown(width: usize) -> String {
        let row = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        let section = Section {
            heading: "Commands".into(),
            rows: vec![
                row(
                    "/mode [build|plan]",
                    "everything is offered, or looking only",
                ),
                row("/漢字", "as wide as they are shown"),
                row("/something [with|very|many|words]", "is told below"),
            ],
        };
        let lines = in_columns(&[section], width);
        assert!(lines.iter().all(|line| line.width() <= width));
        let lines: Vec<String> = lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    #[test]
    fn columns_stay_columns() {
        insta::assert_snapshot!(shown(70), @"
        Commands
          /mode [build|plan]  everything is offered, or looking only
          /漢字               as wide as they are shown
          /something [with|very|many|words]
                              is told below
        ");
        insta::assert_snapshot!(shown(50), @"
        Commands
          /mode [build|plan]  everything is offered, or
                              looking only
          /漢字               as wide as they are shown
          /something [with|very|many|words]
                              is told below
        ");
        insta::assert_snapshot!(shown(30), @"
        Commands
          /mode [build|plan]
              everything is offered,
              or looking only
          /漢字
              as wide as they are
              shown
          /something
            [with|very|many|words]
              is told below
        ");
    }
}
