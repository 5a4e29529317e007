//! From keys to a command.
//!
//! Keys are gathered until they say something, and read from the start each time: so there is no
//! state but the keys themselves, and they are what the status shows.

use super::command::{
    Command, Direction, Find, Motion, Object, ObjectKind, Operator, Pattern, Place, Shape, Side,
    Size, Target, Verb,
};
use super::register;
use crate::key::{Code, Key};

/// More than anybody means.
const LARGEST_COUNT: usize = 9999;

/// Why keys are no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// They may become one.
    More,
    /// They never do.
    No,
}

/// Where keys are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    Normal,
    Visual,
}

/// The command that `keys` are.
pub(super) fn read(keys: &[Key], grammar: Grammar) -> Result<Command, Stop> {
    let mut reader = Reader { keys };
    let mut register = None;
    let mut count = reader.count();
    while reader.accept('"') {
        register = Some(reader.register()?);
        count = times(count, reader.count());
    }
    let (inner, verb) = match grammar {
        Grammar::Normal => reader.normal()?,
        Grammar::Visual => (None, reader.visual()?),
    };
    Ok(Command {
        register,
        count: times(count, inner),
        verb,
    })
}

/// `2d3w` deletes six words.
fn times(outer: Option<usize>, inner: Option<usize>) -> Option<usize> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some((outer * inner).min(LARGEST_COUNT)),
        (outer, inner) => outer.or(inner),
    }
}

struct Reader<'a> {
    keys: &'a [Key],
}

impl Reader<'_> {
    fn next(&mut self) -> Result<Key, Stop> {
        let (first, rest) = self.keys.split_first().ok_or(Stop::More)?;
        self.keys = rest;
        Ok(*first)
    }

    /// The next key as the character it types; keys that mean the same as one are that.
    fn char(&mut self) -> Result<char, Stop> {
        let key = self.next()?;
        let same = match key.code {
            _ if key != Key::plain(key.code) => None,
            Code::Left | Code::Backspace => Some('h'),
            Code::Right | Code::Char(' ') => Some('l'),
            Code::Up => Some('k'),
            Code::Down => Some('j'),
            Code::Home => Some('0'),
            Code::End => Some('$'),
            Code::Delete => Some('x'),
            _ => None,
        };
        same.or(key.typed()).ok_or(Stop::No)
    }

    fn accept(&mut self, c: char) -> bool {
        match self.keys.split_first() {
            Some((first, rest)) if *first == Key::char(c) => {
                self.keys = rest;
                true
            }
            _ => false,
        }
    }

    fn count(&mut self) -> Option<usize> {
        let mut count = None;
        while let Some((key, rest)) = self.keys.split_first()
            && let Some(digit) = key.typed().and_then(|c| c.to_digit(10))
            && (digit > 0 || count.is_some())
        {
            let digits = count.unwrap_or(0) * 10 + digit as usize;
            count = Some(digits.min(LARGEST_COUNT));
            self.keys = rest;
        }
        count
    }

    fn register(&mut self) -> Result<char, Stop> {
        let name = self.next()?.typed().ok_or(Stop::No)?;
        if register::is_name(name) {
            Ok(name)
        } else {
            Err(Stop::No)
        }
    }

    /// A command of normal mode, and the count that stands inside of it.
    fn normal(&mut self) -> Result<(Option<usize>, Verb), Stop> {
        let start = self.keys;
        let key = self.next()?;
        if key == Key::ctrl('r') {
            return Ok((None, Verb::Redo));
        }
        if matches!(key.code, Code::Up | Code::Down) {
            // Rows and the history belong to the front end.
            return Err(Stop::No);
        }
        self.keys = start;
        let first = self.char()?;
        if let Some(operator) = self.operator(first)? {
            return self.target(operator, first);
        }
        Ok((None, self.normal_verb(first)?))
    }

    fn normal_verb(&mut self, first: char) -> Result<Verb, Stop> {
        let operate = |operator, motion| Verb::Operate(operator, Target::Motion(motion));
        Ok(match first {
            'i' => Verb::Insert(Place::Before),
            'a' => Verb::Insert(Place::After),
            'I' => Verb::Insert(Place::FirstText),
            'A' => Verb::Insert(Place::LineEnd),
            'o' => Verb::Insert(Place::LineBelow),
            'O' => Verb::Insert(Place::LineAbove),
            'R' => Verb::Overwrite,
            'r' => Verb::Replace(self.plain_char()?),
            'x' => operate(Operator::Delete, Motion::Right),
            'X' => operate(Operator::Delete, Motion::Left),
            's' => operate(Operator::Change, Motion::Right),
            'D' => operate(Operator::Delete, Motion::LineEnd),
            'C' => operate(Operator::Change, Motion::LineEnd),
            'S' => Verb::Operate(Operator::Change, Target::Lines),
            'Y' => Verb::Operate(Operator::Yank, Target::Lines),
            '~' => Verb::SwapCase,
            'J' => Verb::Join,
            'p' => Verb::Put(Side::After),
            'P' => Verb::Put(Side::Before),
            'u' => Verb::Undo,
            '.' => Verb::Repeat,
            'v' => Verb::Visual(Shape::Chars),
            'V' => Verb::Visual(Shape::Lines),
            'g' if self.accept('v') => Verb::SelectAgain,
            first => Verb::Move(self.motion(first)?),
        })
    }

    /// A command of visual mode.
    fn visual(&mut self) -> Result<Verb, Stop> {
        let first = self.char()?;
        let selected = |operator| Verb::Operate(operator, Target::Selection);
        let lines = |operator| Verb::Operate(operator, Target::SelectedLines);
        Ok(match first {
            'x' => selected(Operator::Delete),
            's' => selected(Operator::Change),
            'u' => selected(Operator::Lower),
            'U' => selected(Operator::Upper),
            '~' => selected(Operator::SwapCase),
            'D' | 'X' => lines(Operator::Delete),
            'C' | 'S' | 'R' => lines(Operator::Change),
            'Y' => lines(Operator::Yank),
            'r' => Verb::Replace(self.plain_char()?),
            'J' => Verb::Join,
            'p' => Verb::Put(Side::After),
            'P' => Verb::Put(Side::Before),
            'o' => Verb::SwapEnds,
            'v' => Verb::Visual(Shape::Chars),
            'V' => Verb::Visual(Shape::Lines),
            'g' if self.accept('v') => Verb::SelectAgain,
            'i' | 'a' => Verb::Select(self.object(first == 'a')?),
            first => match self.operator(first)? {
                Some(operator) => selected(operator),
                None => Verb::Move(self.motion(first)?),
            },
        })
    }

    /// The operator that begins with `first`. What follows a `g` that is no operator is left.
    fn operator(&mut self, first: char) -> Result<Option<Operator>, Stop> {
        Ok(Some(match first {
            'd' => Operator::Delete,
            'c' => Operator::Change,
            'y' => Operator::Yank,
            '>' => Operator::Indent,
            '<' => Operator::Outdent,
            'g' if self.keys.is_empty() => return Err(Stop::More),
            'g' if self.accept('u') => Operator::Lower,
            'g' if self.accept('U') => Operator::Upper,
            'g' if self.accept('~') => Operator::SwapCase,
            _ => return Ok(None),
        }))
    }

    /// What an operator that began with `first` is to work on, and the count before that.
    fn target(&mut self, operator: Operator, first: char) -> Result<(Option<usize>, Verb), Stop> {
        let count = self.count();
        let next = self.char()?;
        let same = match operator {
            Operator::Lower => 'u',
            Operator::Upper => 'U',
            Operator::SwapCase => '~',
            _ => first,
        };
        let target = match next {
            next if next == same => Target::Lines,
            // `gUgU` is `gUU`.
            'g' if first == 'g' && self.accept(same) => Target::Lines,
            'i' | 'a' => Target::Object(self.object(next == 'a')?),
            next => Target::Motion(self.motion(next)?),
        };
        Ok((count, Verb::Operate(operator, target)))
    }

    fn motion(&mut self, first: char) -> Result<Motion, Stop> {
        use Direction::{Back, Forward};
        Ok(match first {
            'h' => Motion::Left,
            'l' => Motion::Right,
            'k' => Motion::Up,
            'j' => Motion::Down,
            '0' => Motion::LineStart,
            '^' => Motion::FirstText,
            '$' => Motion::LineEnd,
            '|' => Motion::Column,
            'w' => Motion::Word(Size::Small),
            'W' => Motion::Word(Size::Big),
            'b' => Motion::WordBack(Size::Small),
            'B' => Motion::WordBack(Size::Big),
            'e' => Motion::WordEnd(Size::Small),
            'E' => Motion::WordEnd(Size::Big),
            'G' => Motion::LastLine,
            'f' => self.find(Forward, false)?,
            'F' => self.find(Back, false)?,
            't' => self.find(Forward, true)?,
            'T' => self.find(Back, true)?,
            ';' => Motion::FindAgain { reverse: false },
            ',' => Motion::FindAgain { reverse: true },
            '%' => Motion::Pair,
            '{' => Motion::ParagraphBack,
            '}' => Motion::ParagraphForward,
            '/' => Motion::Search(self.pattern()?, Forward),
            '?' => Motion::Search(self.pattern()?, Back),
            'n' => Motion::SearchAgain { reverse: false },
            'N' => Motion::SearchAgain { reverse: true },
            '*' => Motion::SearchWord(Forward),
            '#' => Motion::SearchWord(Back),
            'g' => match self.char()? {
                'g' => Motion::FirstLine,
                'e' => Motion::WordEndBack(Size::Small),
                'E' => Motion::WordEndBack(Size::Big),
                _ => return Err(Stop::No),
            },
            _ => return Err(Stop::No),
        })
    }

    fn find(&mut self, direction: Direction, till: bool) -> Result<Motion, Stop> {
        Ok(Motion::Find(Find {
            target: self.plain_char()?,
            direction,
            till,
            again: false,
        }))
    }

    /// A character that is meant as itself.
    fn plain_char(&mut self) -> Result<char, Stop> {
        self.next()?.typed().ok_or(Stop::No)
    }

    /// What is searched for, up to Enter. Backspace takes a character back, and from nothing the
    /// search itself.
    fn pattern(&mut self) -> Result<Pattern, Stop> {
        let mut text = String::new();
        loop {
            let key = self.next()?;
            match key.code {
                Code::Enter => break,
                Code::Backspace => _ = text.pop().ok_or(Stop::No)?,
                _ => text.push(key.typed().ok_or(Stop::No)?),
            }
        }
        let whole_word = false;
        Ok(Pattern { text, whole_word })
    }

    fn object(&mut self, around: bool) -> Result<Object, Stop> {
        let kind = match self.plain_char()? {
            'w' => ObjectKind::Word(Size::Small),
            'W' => ObjectKind::Word(Size::Big),
            quote @ ('"' | '\'' | '`') => ObjectKind::Quotes(quote),
            '(' | ')' | 'b' => ObjectKind::Brackets('(', ')'),
            '{' | '}' | 'B' => ObjectKind::Brackets('{', '}'),
            '[' | ']' => ObjectKind::Brackets('[', ']'),
            '<' | '>' => ObjectKind::Brackets('<', '>'),
            's' => ObjectKind::Sentence,
            'p' => ObjectKind::Paragraph,
            _ => return Err(Stop::No),
        };
        Ok(Object { kind, around })
    }
}
