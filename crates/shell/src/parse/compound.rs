//! Commands with commands inside: groups, control flow, functions, `[[ ]]` and `(( ))`.

use super::Parser;
use super::cursor::{Cursor, ends_word};
use crate::syntax::{Command, Compound, CompoundKind, Piece, Script, Word};

impl Parser<'_> {
    /// The compound command that begins with the reserved word `word`, if it begins one.
    pub(super) fn compound(&mut self, word: &str) -> Option<Command> {
        let inside: fn(&mut Self) -> Compound = match word {
            "{" => |parser| {
                let body = parser.body();
                parser.close("}");
                Compound::of(CompoundKind::Group, vec![body])
            },
            "if" => Self::if_command,
            "while" | "until" => |parser| {
                let condition = parser.body();
                let body = parser.do_body();
                Compound::of(CompoundKind::While, vec![condition, body])
            },
            "for" => |parser| parser.for_command(CompoundKind::For),
            "select" => |parser| parser.for_command(CompoundKind::Select),
            "case" => Self::case_command,
            "[[" => Self::test_command,
            "function" => return Some(self.function_command()),
            "coproc" => |parser| {
                let stage = parser.nested_command();
                Compound::of(CompoundKind::Coproc, vec![stage])
            },
            _ => return None,
        };
        self.cursor.eat(word);
        let mut compound = self.deeper(|parser| Some(inside(parser)))?;
        self.redirections_after(&mut compound);
        Some(Command::Compound(compound))
    }

    /// `( .. )`, or `(( .. ))`.
    pub(super) fn parenthesised(&mut self) -> Command {
        let arithmetic = self.cursor.sees("((") && closes_twice(self.cursor);
        let compound = self.deeper(|parser| {
            parser.cursor.eat("(");
            Some(if arithmetic {
                parser.cursor.eat("(");
                let pieces = parser.arithmetic("))");
                let source = String::from("((..))");
                let mut compound = Compound::of(CompoundKind::Arithmetic, Vec::new());
                compound.words.push(Word { pieces, source });
                compound
            } else {
                let body = parser.body();
                parser.skip_lines();
                parser.require(")", "`(` is not closed");
                Compound::of(CompoundKind::Subshell, vec![body])
            })
        });
        let mut compound =
            compound.unwrap_or_else(|| Compound::of(CompoundKind::Subshell, Vec::new()));
        self.redirections_after(&mut compound);
        Command::Compound(compound)
    }

    /// A list that may not be empty.
    fn body(&mut self) -> Script {
        let script = self.script();
        if script.entries.is_empty() {
            self.fail("a command is missing");
        }
        script
    }

    /// The reserved word that must come now.
    fn close(&mut self, word: &'static str) {
        self.skip_lines();
        if self.failed() {
            return;
        }
        if self.cursor.reserved().as_deref() == Some(word) {
            self.cursor.eat(word);
        } else {
            self.fail("a word that closes the command is missing");
        }
    }

    fn do_body(&mut self) -> Script {
        self.close("do");
        let body = self.body();
        self.close("done");
        body
    }

    fn if_command(&mut self) -> Compound {
        let mut bodies = vec![self.body()];
        self.close("then");
        bodies.push(self.body());
        while !self.failed() {
            self.skip_lines();
            match self.cursor.reserved().as_deref() {
                Some("elif") => {
                    self.cursor.eat("elif");
                    bodies.push(self.body());
                    self.close("then");
                    bodies.push(self.body());
                }
                Some("else") => {
                    self.cursor.eat("else");
                    bodies.push(self.body());
                    self.close("fi");
                    break;
                }
                _ => {
                    self.close("fi");
                    break;
                }
            }
        }
        Compound::of(CompoundKind::If, bodies)
    }

    fn for_command(&mut self, kind: CompoundKind) -> Compound {
        self.cursor.skip_blanks();
        if self.cursor.eat("((") {
            let pieces = self.arithmetic("))");
            let source = String::from("((..))");
            self.cursor.skip_blanks();
            self.cursor.eat(";");
            let mut compound = Compound::of(CompoundKind::CountingFor, vec![self.do_body()]);
            compound.words.push(Word { pieces, source });
            return compound;
        }
        let mut compound = Compound::of(kind, Vec::new());
        compound.words.extend(self.word());
        self.skip_lines();
        if self.cursor.reserved().as_deref() == Some("in") {
            self.cursor.eat("in");
            loop {
                self.cursor.skip_blanks();
                match self.word() {
                    Some(word) => compound.words.push(word),
                    None => break,
                }
            }
        }
        self.cursor.skip_blanks();
        self.cursor.eat(";");
        compound.bodies.push(self.do_body());
        compound
    }

    fn case_command(&mut self) -> Compound {
        let mut compound = Compound::of(CompoundKind::Case, Vec::new());
        self.cursor.skip_blanks();
        compound.words.extend(self.word());
        self.close("in");
        loop {
            self.skip_lines();
            if self.failed() {
                break;
            }
            if self.cursor.reserved().as_deref() == Some("esac") {
                self.cursor.eat("esac");
                break;
            }
            self.cursor.eat("(");
            self.patterns(&mut compound.words);
            compound.bodies.push(self.script());
            self.skip_lines();
            let ends = [";;&", ";;", ";&"].iter().any(|end| self.cursor.eat(end));
            if !ends && self.cursor.reserved().as_deref() != Some("esac") {
                self.fail("`case` is not closed");
            }
        }
        compound
    }

    fn patterns(&mut self, words: &mut Vec<Word>) {
        while !self.failed() {
            self.cursor.skip_blanks();
            match self.word() {
                Some(word) => words.push(word),
                None => self.fail("a pattern is missing"),
            }
            self.cursor.skip_blanks();
            if !self.cursor.eat("|") {
                self.require(")", "a pattern is not closed");
                break;
            }
        }
    }

    /// Everything up to `]]`; operators become words of their own.
    fn test_command(&mut self) -> Compound {
        let mut compound = Compound::of(CompoundKind::Test, Vec::new());
        let mut pattern_next = false;
        loop {
            self.skip_lines();
            if self.failed() {
                break;
            }
            if self.cursor.reserved().as_deref() == Some("]]") {
                self.cursor.eat("]]");
                break;
            }
            let is_process = self.sees_process();
            let operators = ["&&", "||", "(", ")", "<", ">"].into_iter();
            let operator = operators
                .filter(|operator| !(pattern_next || is_process && "<>".contains(operator)))
                .find(|operator| self.cursor.eat(operator));
            if let Some(operator) = operator {
                compound.words.push(Word::bare(operator));
                continue;
            }
            let word = if pattern_next {
                self.pattern_word()
            } else {
                self.word()
            };
            let Some(word) = word else {
                self.fail("`[[` is not closed");
                break;
            };
            let text = word.plain().unwrap_or_default();
            pattern_next = !pattern_next && matches!(text.as_str(), "=~" | "==" | "=" | "!=");
            compound.words.push(word);
        }
        compound
    }

    fn function_command(&mut self) -> Command {
        self.cursor.eat("function");
        self.cursor.skip_blanks();
        let name = self.word().unwrap_or_default();
        self.cursor.skip_blanks();
        if self.cursor.eat("(") {
            self.cursor.skip_blanks();
            self.require(")", "a function is not closed");
        }
        self.function_body(name)
    }

    /// What `name()` stands for; a compound command.
    pub(super) fn function_body(&mut self, name: Word) -> Command {
        self.skip_lines();
        let body = self.deeper(|parser| {
            if parser.cursor.peek() == Some('(') {
                return Some(parser.parenthesised());
            }
            let word = parser.cursor.reserved()?;
            parser.compound(&word)
        });
        let body = body.unwrap_or_else(|| {
            self.fail("a function has no body");
            Command::Compound(Compound::of(CompoundKind::Group, Vec::new()))
        });
        Command::Function {
            name,
            body: Box::new(body),
        }
    }

    /// One command as a script of its own.
    fn nested_command(&mut self) -> Script {
        let script = self.script();
        if script.entries.is_empty() {
            self.fail("a command is missing");
        }
        script
    }

    fn redirections_after(&mut self, compound: &mut Compound) {
        while !self.failed() {
            self.cursor.skip_blanks();
            match self.redirection() {
                Some(redirection) => compound.redirections.push(redirection),
                None => break,
            }
        }
        let stray = |c: char| !ends_word(c) || matches!(c, '(' | '<' | '>');
        if !self.failed() && self.cursor.peek().is_some_and(stray) {
            self.fail("something follows a command that is closed");
        }
    }
}

/// Whether the `((` at the cursor is closed by `))`: otherwise it is a subshell in a subshell.
pub(super) fn closes_twice(mut cursor: Cursor<'_>) -> bool {
    let mut open = 0_usize;
    while let Some(c) = cursor.next() {
        match c {
            '\\' => _ = cursor.next_raw(),
            '\'' => while cursor.next_raw().is_some_and(|c| c != '\'') {},
            '"' => {
                while let Some(c) = cursor.next_raw()
                    && c != '"'
                {
                    if c == '\\' {
                        cursor.next_raw();
                    }
                }
            }
            '(' => open += 1,
            ')' => {
                open -= 1;
                if open == 1 {
                    return cursor.sees(")");
                }
            }
            _ => {}
        }
    }
    // Not closed at all: arithmetic fails where it is read, and so would anything else.
    true
}

impl Compound {
    fn of(kind: CompoundKind, bodies: Vec<Script>) -> Self {
        Self {
            kind,
            words: Vec::new(),
            bodies,
            redirections: Vec::new(),
        }
    }
}

impl Word {
    /// A word of letters alone.
    pub(crate) fn bare(text: &str) -> Self {
        Self {
            pieces: vec![Piece::Bare(text.to_owned())],
            source: text.to_owned(),
        }
    }
}
