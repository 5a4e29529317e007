//! The words of an answer that holds calls.

/// The prose of an answer, without the gaps that calls and thoughts leave in it.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) spoke: bool,
    /// Ends of lines that may turn out to stand before a call.
    held: String,
    /// Something was taken out since the last words.
    broken: bool,
}

impl Words {
    /// What to say now that `text` has come.
    pub(super) fn say(&mut self, text: &str) -> String {
        let text = if self.broken { text.trim_start() } else { text };
        let spoken = text.trim_end().len();
        let end = text[spoken..]
            .find('\n')
            .map_or(text.len(), |at| spoken + at);
        if spoken == 0 {
            self.held.push_str(text);
            return String::new();
        }
        let gap = match (self.broken, self.spoke) {
            (false, _) => std::mem::take(&mut self.held),
            (true, true) => "\n\n".to_owned(),
            (true, false) => String::new(),
        };
        text[end..].clone_into(&mut self.held);
        self.broken = false;
        self.spoke = true;
        gap + &text[..end]
    }

    /// A call or a thought stands here.
    pub(super) fn break_off(&mut self) {
        self.held.clear();
        self.broken = true;
    }

    /// What is left to say.
    pub(super) fn end(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}
