//! What can be said in vim, as data: so a change can be kept and made again.

/// A whole command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) register: Option<char>,
    pub(super) count: Option<usize>,
    pub(super) verb: Verb,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Move(Motion),
    /// Of visual mode: select this.
    Select(Object),
    Operate(Operator, Target),
    Insert(Place),
    /// `R`
    Overwrite,
    /// `r`
    Replace(char),
    /// `~`
    SwapCase,
    Join,
    Put(Side),
    Undo,
    Redo,
    Repeat,
    Visual(Shape),
    /// `gv`
    SelectAgain,
    /// Of visual mode: the cursor goes to the other end.
    SwapEnds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Delete,
    Change,
    Yank,
    Indent,
    Outdent,
    Lower,
    Upper,
    SwapCase,
}

/// What an operator works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Motion(Motion),
    Object(Object),
    /// `dd`: as many lines as the count says.
    Lines,
    /// What is selected.
    Selection,
    /// The lines of what is selected.
    SelectedLines,
    /// As much as was selected once, from the cursor on.
    Span(Shape, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Left,
    Right,
    Up,
    Down,
    LineStart,
    FirstText,
    LineEnd,
    /// `|`: the count is the column.
    Column,
    Word(Size),
    WordBack(Size),
    WordEnd(Size),
    WordEndBack(Size),
    FirstLine,
    LastLine,
    Find(Find),
    FindAgain {
        reverse: bool,
    },
    Pair,
    ParagraphBack,
    ParagraphForward,
    /// A search; an empty pattern is the last one.
    Search(Pattern, Direction),
    SearchAgain {
        reverse: bool,
    },
    SearchWord(Direction),
}

/// A word of letters, or anything between blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Small,
    Big,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Back,
    Forward,
}

impl Direction {
    pub(super) fn reversed(self, reverse: bool) -> Self {
        match (self, reverse) {
            (Self::Back, true) | (Self::Forward, false) => Self::Forward,
            (Self::Forward, true) | (Self::Back, false) => Self::Back,
        }
    }
}

/// `f`, `t` and their kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Find {
    pub(super) target: char,
    pub(super) direction: Direction,
    /// Stop beside it.
    pub(super) till: bool,
    /// It was found before: go on from there, also if the cursor is beside it.
    pub(super) again: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) text: String,
    pub(super) whole_word: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) kind: ObjectKind,
    /// `a` and not `i`.
    pub(super) around: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectKind {
    Word(Size),
    Quotes(char),
    Brackets(char, char),
    Sentence,
    Paragraph,
}

/// Where an insert begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Before,
    After,
    FirstText,
    LineEnd,
    LineBelow,
    LineAbove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// Characters or whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Chars,
    Lines,
}
