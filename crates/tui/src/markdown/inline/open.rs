//! Which marks are open: whether what follows can still change how text looks.
//!
//! A guess that errs on the side of waiting. It need not be exact: a stretch is rendered by
//! itself, so a wrong guess only leaves a mark as it was written.

/// The marks that are open at some place in a text.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// The marks of emphasis that wait for their partner, with their length.
    emphasis: Vec<(char, usize)>,
    /// How many backticks close the code that is open; 0 if none is.
    code: usize,
    /// Open square brackets.
    brackets: usize,
    /// Open parentheses of a link's address.
    parentheses: usize,
    /// The run of equal marks that is being read.
    run: Option<Run>,
    last: char,
    is_escaped: bool,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    mark: char,
    length: usize,
    before: char,
}

impl Default for Open {
    fn default() -> Self {
        Self {
            emphasis: Vec::new(),
            code: 0,
            brackets: 0,
            parentheses: 0,
            run: None,
            last: ' ',
            is_escaped: false,
        }
    }
}

impl Open {
    /// Whether nothing waits for its end.
    pub(super) fn is_closed(&self) -> bool {
        self.run.is_none()
            && self.code == 0
            && self.brackets == 0
            && self.parentheses == 0
            && self.emphasis.is_empty()
    }

    /// Reads on. If the marks that end here are meant as such, but `CommonMark` would not take them
    /// so, says how many bytes before `c` a blank would help.
    pub(super) fn see(&mut self, c: char) -> Option<usize> {
        let mut help = None;
        if let Some(run) = &mut self.run {
            if run.mark == c {
                run.length += 1;
                return None;
            }
            let run = *run;
            self.run = None;
            self.last = run.mark;
            help = self.end_run(run, c);
        }
        let before = std::mem::replace(&mut self.last, c);
        if std::mem::take(&mut self.is_escaped) {
            return help;
        }
        match c {
            '`' => self.begin_run(c, before),
            _ if self.code > 0 => {}
            '*' | '_' | '~' => self.begin_run(c, before),
            '\\' => self.is_escaped = true,
            '[' => self.brackets += 1,
            ']' => self.brackets = self.brackets.saturating_sub(1),
            '(' if self.parentheses > 0 || before == ']' => self.parentheses += 1,
            ')' => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
        help
    }

    fn begin_run(&mut self, mark: char, before: char) {
        self.run = Some(Run {
            mark,
            length: 1,
            before,
        });
    }

    fn end_run(&mut self, run: Run, after: char) -> Option<usize> {
        match run.mark {
            '`' if self.code == 0 => self.code = run.length,
            '`' if self.code == run.length => self.code = 0,
            '`' => {}
            '~' if run.length != 2 => {}
            _ => return self.end_emphasis(run, after),
        }
        None
    }

    fn end_emphasis(&mut self, run: Run, after: char) -> Option<usize> {
        let is_word = |c: char| run.mark == '_' && c.is_alphanumeric();
        let mut left = run.length;
        if !run.before.is_whitespace() && !is_word(after) {
            left = self.close(run.mark, left);
        }
        if left == 0 {
            // As in `**Note:**text`, where there are no blanks between words.
            let is_taken_for_open = !run.before.is_alphanumeric() && after.is_alphanumeric();
            return is_taken_for_open.then_some(0);
        }
        if !after.is_whitespace() && !is_word(run.before) {
            self.emphasis.push((run.mark, left));
            let is_taken_for_close = run.before.is_alphanumeric() && !after.is_alphanumeric();
            // Between other letters it is a product, or the like.
            let is_meant = is_taken_for_close && !run.before.is_ascii();
            return is_meant.then_some(run.length);
        }
        None
    }

    /// Closes what `length` marks can close, and says how many are left.
    fn close(&mut self, mark: char, mut length: usize) -> usize {
        while length > 0 {
            let Some(partner) = self.emphasis.iter().rposition(|(open, _)| *open == mark) else {
                break;
            };
            self.emphasis.truncate(partner + 1);
            let open = &mut self.emphasis[partner].1;
            let closed = length.min(*open);
            *open -= closed;
            length -= closed;
            if *open == 0 {
                self.emphasis.truncate(partner);
            }
        }
        length
    }
}
