//! The list that somebody picks from.

use unicode_width::UnicodeWidthStr;

use super::Suggestion;
use crate::clip::clip;
use crate::line::{Line, one_line};
use crate::style::Style;

/// How many suggestions are seen at once.
const ROWS: usize = 8;

/// Suggestions, one of which is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Menu {
    items: Vec<Suggestion>,
    selected: usize,
    /// The first one that is seen.
    top: usize,
    /// Whether more may come.
    building: bool,
}

impl Menu {
    /// A menu of these, the first one selected; none if there is nothing to pick or to wait for.
    pub fn new(items: Vec<Suggestion>, building: bool) -> Option<Self> {
        let menu = Self {
            items,
            selected: 0,
            top: 0,
            building,
        };
        (building || !menu.items.is_empty()).then_some(menu)
    }

    /// The same menu with what is known by now. What was selected stays so if it is still there,
    /// and if somebody had moved to it.
    #[must_use]
    pub fn updated(&self, items: Vec<Suggestion>, building: bool) -> Option<Self> {
        let chosen = self.selected().filter(|_| self.selected > 0);
        let stays = |item: &Suggestion| chosen.is_some_and(|chosen| chosen.insert == item.insert);
        let selected = items.iter().position(stays).unwrap_or(0);
        let mut menu = Self::new(items, building)?;
        menu.top = self.top.min(menu.items.len().saturating_sub(ROWS));
        menu.select(selected);
        Some(menu)
    }

    /// The one that would be taken.
    pub fn selected(&self) -> Option<&Suggestion> {
        self.items.get(self.selected)
    }

    /// The one there is, if there is no other.
    pub fn only(&self) -> Option<&Suggestion> {
        self.items
            .first()
            .filter(|_| self.items.len() == 1 && !self.building)
    }

    /// Goes to the one above, and from the first to the last.
    pub fn up(&mut self) {
        let last = self.items.len().saturating_sub(1);
        self.select(self.selected.checked_sub(1).unwrap_or(last));
    }

    /// Goes to the one below, and from the last to the first.
    pub fn down(&mut self) {
        let next = self.selected + 1;
        self.select(if next < self.items.len() { next } else { 0 });
    }

    fn select(&mut self, selected: usize) {
        self.selected = selected;
        self.top = self
            .top
            .clamp((selected + 1).saturating_sub(ROWS), selected);
    }

    /// What it looks like on a screen of this width, in at most so many rows: what is selected is
    /// among them.
    pub fn lines(&self, width: usize, most: usize) -> Vec<Line> {
        let rows = self.rows(most);
        let first = (self.selected + 1).saturating_sub(rows);
        let top = self.top.clamp(first, self.selected.max(first));
        let seen = self.items.iter().enumerate().skip(top).take(rows);
        let column = seen.clone().map(|(_, item)| one_line(&item.label).width());
        let column = column.max().unwrap_or(0).min(label_room(width));
        let mut lines: Vec<Line> = seen
            .map(|(number, item)| row(item, number == self.selected, column, width))
            .collect();
        if let Some(note) = self.note(rows).filter(|_| lines.len() < most) {
            lines.push(Line::new(clip(&note, width), Style::DIM));
        }
        lines
    }

    /// How many suggestions are seen at once, if there are so many rows: one is for the note.
    fn rows(&self, most: usize) -> usize {
        let rows = ROWS.min(most);
        if most > 1 && self.note(rows).is_some() {
            rows.min(most - 1)
        } else {
            rows
        }
    }

    fn note(&self, rows: usize) -> Option<String> {
        let (number, count) = (self.selected + 1, self.items.len());
        match (count > rows, self.building) {
            (true, true) => Some(format!("  {number} of {count}, still looking ..")),
            (true, false) => Some(format!("  {number} of {count}")),
            (false, true) => Some("  still looking ..".into()),
            (false, false) => None,
        }
    }
}

const REVERSE: Style = Style {
    reverse: true,
    ..Style::PLAIN
};

/// How much of the width the labels may take if descriptions stand beside them.
fn label_room(width: usize) -> usize {
    width / 2
}

/// One suggestion: a mark, its label, and behind the longest of all labels its description.
fn row(item: &Suggestion, selected: bool, column: usize, width: usize) -> Line {
    let (mark, style) = if selected {
        ("> ", REVERSE)
    } else {
        ("  ", Style::PLAIN)
    };
    let label = format!("{mark}{}", one_line(&item.label));
    if item.description.is_empty() {
        return Line::new(clip(&label, width), style);
    }
    let beginning = clip(&label, (mark.len() + column).min(width));
    let gap = (mark.len() + column + 2).saturating_sub(beginning.width());
    let room = width.saturating_sub(beginning.width() + gap);
    let description = clip(&one_line(&item.description), room);
    if description.is_empty() {
        return Line::new(beginning, style);
    }
    Line::new(beginning, style)
        .with(" ".repeat(gap), Style::PLAIN)
        .with(description, Style::DIM)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(label: &str, description: &str) -> Suggestion {
        Suggestion {
            label: label.into(),
            description: description.into(),
            insert: label.into(),
            replaces: 0..0,
            finished: true,
        }
    }

    fn numbers(count: usize) -> Vec<Suggestion> {
        (1..=count)
            .map(|number| item(&number.to_string(), ""))
            .collect()
    }

    fn drawn(menu: &Menu, width: usize) -> String {
        let lines = menu.lines(width, 20);
        let text = |line: &Line| {
            let spans = line.spans.iter();
            let spans = spans.map(|span| match (span.style.reverse, span.style.dim) {
                (true, _) => format!("[{}]", span.text),
                (_, true) => format!("<{}>", span.text),
                _ => span.text.clone(),
            });
            spans.collect::<String>() + "\n"
        };
        lines.iter().map(text).collect()
    }

    fn commands() -> Menu {
        let items = vec![
            item("/model", "which model answers"),
            item("/mode", "build or plan"),
            item(
                "/a-command-of-the-project-with-a-long-name",
                "does things\nwith \u{1b}[31mcolour and says a lot about them, more than fits",
            ),
            item("/quiet", ""),
        ];
        Menu::new(items, false).unwrap()
    }

    #[test]
    fn the_selected_one_is_marked_and_descriptions_stand_in_a_column() {
        let mut menu = commands();
        menu.down();
        insta::assert_snapshot!(drawn(&menu, 80), @r"
          /model                                    <which model answers>
        [> /mode]                                     <build or plan>
          /a-command-of-the-project-with-a-long-n…  <does things with \e[31mcolour and s…>
          /quiet
        ");
        insta::assert_snapshot!(drawn(&menu, 40), @"
          /model                <which model ans…>
        [> /mode]                 <build or plan>
          /a-command-of-the-p…  <does things wit…>
          /quiet
        ");
    }

    #[test]
    fn eight_are_seen_and_the_others_scrolled_to() {
        let mut menu = Menu::new(numbers(11), false).unwrap();
        let seen = |menu: &Menu| {
            let lines = menu.lines(40, 20);
            let text = lines.iter().map(|line| line.text().trim().to_owned());
            text.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(seen(&menu), "> 1 2 3 4 5 6 7 8 1 of 11");
        menu.up();
        assert_eq!(seen(&menu), "4 5 6 7 8 9 10 > 11 11 of 11");
        menu.up();
        assert_eq!(seen(&menu), "4 5 6 7 8 9 > 10 11 10 of 11");
        menu.down();
        menu.down();
        assert_eq!(seen(&menu), "> 1 2 3 4 5 6 7 8 1 of 11");
        for _ in 0..8 {
            menu.down();
        }
        assert_eq!(seen(&menu), "2 3 4 5 6 7 8 > 9 9 of 11");
    }

    #[test]
    fn in_few_rows_the_selected_one_is_seen() {
        let mut menu = Menu::new(numbers(11), false).unwrap();
        for most in 1..12 {
            for _ in 0..12 {
                menu.down();
                let lines = menu.lines(40, most);
                assert!(lines.len() <= most, "{most}");
                let marked = |line: &Line| line.text().starts_with('>');
                assert!(lines.iter().any(marked), "{most}");
            }
        }
        assert_eq!(menu.lines(40, 0), []);
    }

    #[test]
    fn there_is_no_menu_of_nothing_but_one_may_wait() {
        assert_eq!(Menu::new(Vec::new(), false), None);
        let mut menu = Menu::new(Vec::new(), true).unwrap();
        menu.up();
        menu.down();
        assert_eq!(menu.selected(), None);
        insta::assert_snapshot!(drawn(&menu, 40), @"<  still looking ..>");
        assert_eq!(menu.updated(Vec::new(), false), None);
    }

    #[test]
    fn what_was_moved_to_stays_selected() {
        let mut menu = Menu::new(numbers(3), true).unwrap();
        let better = |menu: &Menu| {
            let mut items = numbers(3);
            items.insert(0, item("0", ""));
            menu.updated(items, false).unwrap()
        };
        assert_eq!(better(&menu).selected().unwrap().label, "0");
        menu.down();
        assert_eq!(better(&menu).selected().unwrap().label, "2");
        let others = menu.updated(vec![item("9", "")], false).unwrap();
        assert_eq!(others.selected().unwrap().label, "9");
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let mut menu = commands();
        for width in 0..60 {
            menu.down();
            for line in menu.lines(width, 20) {
                assert!(line.width() <= width, "{:?} in {width}", line.text());
            }
        }
    }
}
