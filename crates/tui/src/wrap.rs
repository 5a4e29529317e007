//! Breaking lines into rows that fit the screen.
//!
//! Rows break between words, and inside a word only where it is wider than a row. Addresses are
//! never broken: one that does not fit stands alone on its row, and the terminal folds it, so that
//! it is whole when somebody copies or clicks it.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use crate::line::{Line, Span};

/// The longest address that is kept whole, in columns.
const LONGEST_URL: usize = 2_048;

/// What stands before the rows of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indent {
    /// Before the first row.
    pub first: Line,
    /// Before all others.
    pub rest: Line,
}

/// The rows of `line` on a screen of `width` columns, at least one.
///
/// Blanks at which a row ends are dropped; everything else is kept, with its look.
pub fn wrap(line: &Line, width: usize, indent: &Indent) -> Vec<Line> {
    let mut rows = Vec::new();
    let mut wrapper = Wrapper::new(indent.clone());
    for span in &line.spans {
        wrapper.push(span, width, &mut rows);
    }
    wrapper.end(width, &mut rows);
    rows
}

/// The rows that the terminal itself would make of `line`: broken wherever the screen ends.
pub fn fold(line: &Line, width: usize) -> Vec<Line> {
    let width = width.max(2);
    let mut rows = vec![Line::default()];
    let mut used = 0;
    for (piece, span) in line.spans.iter().flat_map(pieces) {
        let columns = piece.width();
        if used + columns > width {
            rows.push(Line::default());
            used = 0;
        }
        used += columns;
        if let Some(row) = rows.last_mut() {
            row.append(piece, span);
        }
    }
    rows
}

/// Wraps text that is still growing. A row is given out as soon as nothing can change it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wrapper {
    indent: Indent,
    first_width: usize,
    rest_width: usize,
    /// Whether a row has been given out, so that the next one has the indent of the rest.
    begun: bool,
    /// The words of the row so far.
    row: Part,
    /// The blanks after them.
    blanks: Part,
    /// The word that may still go on.
    word: Part,
    /// Whether that word is an address.
    is_url: bool,
    /// Whether the last piece allows for a break behind it.
    breaks_after: bool,
}

/// A part of a row.
#[derive(Clone, Debug, Default)]
struct Part {
    line: Line,
    width: usize,
}

impl Wrapper {
    pub(crate) fn new(indent: Indent) -> Self {
        Self {
            first_width: indent.first.width(),
            rest_width: indent.rest.width(),
            indent,
            ..Self::default()
        }
    }

    /// Takes more text, and gives out the rows that are full.
    pub(crate) fn push(&mut self, span: &Span, width: usize, rows: &mut Vec<Line>) {
        for (piece, span) in pieces(span) {
            if is_blank(piece) {
                self.place_word(width, rows);
                // Behind more blanks than fit, the row ends anyway.
                if self.row.width + self.blanks.width <= self.room(width, self.begun) {
                    self.blanks.append(piece, span);
                }
                continue;
            }
            let is_wide = piece.width() > 1;
            if (is_wide || self.breaks_after) && !is_closing(piece) {
                self.place_word(width, rows);
            }
            self.breaks_after = is_wide && !is_opening(piece);
            self.word.append(piece, span);
            self.is_url |= piece == "/" && self.word.ends_with("://");
            self.is_url &= self.word.width <= LONGEST_URL;
            if !self.is_url && self.word.width > self.room_of_word(width) {
                self.cut_word(width, rows);
            }
        }
    }

    /// Whether nothing stands in the row so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.row.is_empty() && self.word.is_empty()
    }

    /// Ends the row, whether it is full or not; text that comes later begins a new one.
    pub(crate) fn end(&mut self, width: usize, rows: &mut Vec<Line>) {
        self.place_word(width, rows);
        self.blanks = Part::default();
        self.end_row(width, rows);
    }

    /// Ends the word, and puts it into this row or the next one.
    fn place_word(&mut self, width: usize, rows: &mut Vec<Line>) {
        self.is_url = false;
        self.breaks_after = false;
        if self.word.is_empty() {
            return;
        }
        let wanted = self.row.width + self.blanks.width + self.word.width;
        if wanted > self.room(width, self.begun) {
            self.blanks = Part::default();
            if !self.row.is_empty() {
                self.end_row(width, rows);
            }
        }
        self.row.take(&mut self.blanks);
        self.row.take(&mut self.word);
    }

    /// Breaks a word that is wider than a row: as much as fits becomes a row of its own.
    fn cut_word(&mut self, width: usize, rows: &mut Vec<Line>) {
        self.blanks = Part::default();
        if !self.row.is_empty() {
            self.end_row(width, rows);
        }
        let room = self.room(width, self.begun);
        let word = std::mem::take(&mut self.word);
        for (piece, span) in word.line.spans.iter().flat_map(pieces) {
            if self.word.width + piece.width() > room {
                self.row.take(&mut self.word);
                self.end_row(width, rows);
            }
            self.word.append(piece, span);
        }
    }

    fn end_row(&mut self, width: usize, rows: &mut Vec<Line>) {
        let indent = if self.begun {
            &self.indent.rest
        } else {
            &self.indent.first
        };
        let mut row = fitting(indent, width);
        for span in std::mem::take(&mut self.row).line.spans {
            row.append(&span.text, &span);
        }
        rows.push(row);
        self.begun = true;
    }

    /// The columns that the indent leaves for words.
    fn room(&self, width: usize, begun: bool) -> usize {
        let indent = if begun {
            self.rest_width
        } else {
            self.first_width
        };
        width.max(2) - indent.min(most_indent(width))
    }

    /// The columns for a word that does not fit into the row it was met in.
    fn room_of_word(&self, width: usize) -> usize {
        self.room(width, self.begun || !self.row.is_empty())
    }
}

impl Part {
    fn append(&mut self, piece: &str, like: &Span) {
        self.width += piece.width();
        self.line.append(piece, like);
    }

    fn take(&mut self, other: &mut Self) {
        self.width += other.width;
        for span in std::mem::take(other).line.spans {
            self.line.append(&span.text, &span);
        }
    }

    fn is_empty(&self) -> bool {
        self.line.spans.is_empty()
    }

    fn ends_with(&self, text: &str) -> bool {
        let last = self.line.spans.last();
        last.is_some_and(|span| span.text.ends_with(text))
    }
}

/// As much of an indent as leaves half of the screen to the text. Its end tells most: there is the
/// mark of a list.
pub(crate) fn fitting(indent: &Line, width: usize) -> Line {
    let mut excess = indent.width().saturating_sub(most_indent(width));
    let mut kept = Line::default();
    for (piece, span) in indent.spans.iter().flat_map(pieces) {
        if excess > 0 {
            excess = excess.saturating_sub(piece.width());
        } else {
            kept.append(piece, span);
        }
    }
    kept
}

fn most_indent(width: usize) -> usize {
    (width / 2).min(width.saturating_sub(2))
}

/// What is never broken: characters as people see them. Those that take more than two columns do
/// not exist; clusters that do are several to a terminal too.
fn pieces(span: &Span) -> impl Iterator<Item = (&str, &Span)> {
    let clusters = span.text.graphemes(true);
    let pieces = clusters.flat_map(|cluster| {
        let whole = cluster.width() <= 2;
        let chars = cluster.split_inclusive(move |_: char| !whole);
        chars.filter(|piece| !piece.is_empty())
    });
    pieces.map(move |piece| (piece, span))
}

fn is_blank(piece: &str) -> bool {
    let is_breaking = |c: char| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}');
    piece.chars().all(is_breaking)
}

/// Whether no row begins with this.
fn is_closing(piece: &str) -> bool {
    piece.starts_with([
        '。', '、', '，', '．', '！', '？', '：', '；', '）', '」', '』', '】', '〉', '》', '…',
        '”', '’', ',', '.', '!', '?', ':', ';', ')', ']', '}',
    ])
}

/// Whether no row ends with this.
fn is_opening(piece: &str) -> bool {
    piece.starts_with(['（', '「', '『', '【', '〈', '《'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::style::{Color, Style};

    fn rows(text: &str, width: usize) -> String {
        let rows = wrap(&text.into(), width, &Indent::default());
        let rows: Vec<String> = rows.iter().map(Line::text).collect();
        rows.join("\n")
    }

    #[test]
    fn rows_break_between_words() {
        insta::assert_snapshot!(rows("the quick  brown fox jumps over it", 12), @r"
        the quick
        brown fox
        jumps over
        it
        ");
    }

    #[test]
    fn long_words_break_where_the_row_ends_and_addresses_do_not() {
        insta::assert_snapshot!(rows("an incomprehensibility", 8), @r"
        an
        incompre
        hensibil
        ity
        ");
        insta::assert_snapshot!(rows("see (https://example.org/a/b) now", 10), @r"
        see
        (https://example.org/a/b)
        now
        ");
    }

    #[test]
    fn scripts_without_blanks_break_between_characters() {
        insta::assert_snapshot!(rows("今日は「良い」天気です。ok", 10), @"
        今日は「良
        い」天気で
        す。ok
        ");
    }

    #[test]
    fn rows_are_indented_and_an_indent_leaves_half_of_the_screen() {
        let indent = Indent {
            first: "      - ".into(),
            rest: "        ".into(),
        };
        let rows = |width| {
            let rows = wrap(&"one two three".into(), width, &indent);
            rows.iter().map(Line::text).collect::<Vec<_>>().join("|")
        };
        assert_eq!(rows(17), "      - one two|        three");
        assert_eq!(rows(10), "   - one|     two|     three");
    }

    #[test]
    fn folding_breaks_where_the_screen_ends() {
        let rows = fold(&"let a = 漢字;".into(), 9);
        let rows: Vec<String> = rows.iter().map(Line::text).collect();
        assert_eq!(rows, ["let a = ", "漢字;"]);
    }

    fn any_line() -> impl Strategy<Value = Line> {
        let text = prop_oneof![
            "[a-c ]{0,12}",
            "\\PC{0,6}",
            Just("漢字、かな".to_owned()),
            Just("👩‍💻".to_owned())
        ];
        let color = prop_oneof![Just(None), Just(Some(Color::RED)), Just(Some(Color::BLUE))];
        proptest::collection::vec((text, color), 0..8).prop_map(|spans| Line {
            spans: spans
                .into_iter()
                .map(|(text, color)| {
                    let style = Style {
                        color,
                        ..Style::PLAIN
                    };
                    Span::new(text, style)
                })
                .collect(),
        })
    }

    /// Every character but blanks, with its look.
    fn characters<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Vec<(char, Style)> {
        let spans = lines.into_iter().flat_map(|line| &line.spans);
        let characters = spans.flat_map(|span| span.text.chars().map(|c| (c, span.style)));
        characters.filter(|(c, _)| !c.is_whitespace()).collect()
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_rows_fit(line in any_line(), width in 2..40_usize, indent in 0..6_usize) {
            let blanks = Line::from(" ".repeat(indent));
            let indent = Indent { first: blanks.clone(), rest: blanks };
            for rows in [wrap(&line, width, &indent), fold(&line, width)] {
                prop_assert!(!rows.is_empty());
                prop_assert_eq!(characters(&rows), characters([&line]));
                for row in &rows {
                    prop_assert!(row.width() <= width, "{:?} is wider than {}", row, width);
                }
            }
        }

        #[test]
        fn blanks_are_kept_within_a_row(line in any_line()) {
            let whole: String = line.text();
            let rows = wrap(&line, 1_000, &Indent::default());
            prop_assert_eq!(rows.len(), 1);
            prop_assert_eq!(rows[0].text(), whole.trim_end_matches(|c: char| c.is_whitespace() && c != '\u{a0}' && c != '\u{202f}'));
        }
    }
}
