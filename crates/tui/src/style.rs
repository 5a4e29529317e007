//! How text looks: the terminal's own colours, so that every theme keeps its own.

/// A colour of the terminal's palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// One of the sixteen: 0 to 7, and 8 to 15 for the bright ones.
    Ansi(u8),
    /// One of the 256, for optional parts only.
    Indexed(u8),
}

impl Color {
    /// Failures, and what is taken away.
    pub const RED: Self = Self::Ansi(1);
    /// Success, the prompt, and what is added.
    pub const GREEN: Self = Self::Ansi(2);
    /// Questions, and what is under way.
    pub const YELLOW: Self = Self::Ansi(3);
    /// Tools. The bright one: many terminals have a blue that nobody can read on black.
    pub const BLUE: Self = Self::Ansi(12);
    /// Optional parts, such as code: it can be read on black and on white.
    pub const MAGENTA: Self = Self::Ansi(5);
    /// What is done.
    pub const CYAN: Self = Self::Ansi(6);
}

/// The look of a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an attribute of its own"
)]
pub struct Style {
    /// The text's colour; the terminal's own if there is none.
    pub color: Option<Color>,
    /// Heavier.
    pub bold: bool,
    /// Fainter.
    pub dim: bool,
    /// Slanted.
    pub italic: bool,
    /// Underlined.
    pub underline: bool,
    /// Struck through.
    pub strike: bool,
    /// Colours swapped.
    pub reverse: bool,
}

impl Style {
    /// The terminal's default.
    pub const PLAIN: Self = Self {
        color: None,
        bold: false,
        dim: false,
        italic: false,
        underline: false,
        strike: false,
        reverse: false,
    };
    /// Fainter than the rest.
    pub const DIM: Self = Self {
        dim: true,
        ..Self::PLAIN
    };
    /// Heavier than the rest.
    pub const BOLD: Self = Self {
        bold: true,
        ..Self::PLAIN
    };

    /// Text of this colour.
    pub const fn color(color: Color) -> Self {
        Self {
            color: Some(color),
            ..Self::PLAIN
        }
    }

    /// The same, heavier.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }
}
