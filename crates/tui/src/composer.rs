//! Where a message is written: keys become edits, and what is not about the text is given back.
//!
//! A key is offered in this order: to the search through the history, to the menu, to vim, to the
//! key table, and last it is a character.

use pollux_edit::{Action, Code, Context, Edit, Key, Keymap, Press, Text, Vim};

use crate::complete::Suggestion;
use crate::completer::{Completer, Sources};
use crate::draft::Draft;
use crate::history::{History, Search};
use crate::line::{Line, one_line};
use crate::program::{Choice, Choices};
use crate::screen::Position;
use crate::slash::{self, Arguments};
use crate::style::Style;

/// The prompt's text and all that helps to write it.
pub struct Composer {
    text: Text,
    keymap: Keymap,
    vim: Option<Vim>,
    history: History,
    search: Option<Search>,
    completer: Completer,
    /// Columns that the prompt takes before the text, as last drawn.
    indent: std::cell::Cell<usize>,
}

/// What a key was that is not about the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Nothing further.
    Nothing,
    /// Send it.
    Submit,
    /// Stop, or clear.
    Cancel,
    /// The message before.
    Older,
    /// The message after.
    Newer,
    /// Between building and planning.
    SwitchMode,
    /// The next approval mode.
    CycleApproval,
    /// Approve everything, or no longer.
    ToggleYolo,
    /// Write in the editor.
    Editor,
    /// A clean screen.
    ClearScreen,
    /// To the background.
    Suspend,
    /// Leave.
    Quit,
    /// Leave at once.
    Interrupt,
}

impl Composer {
    /// With these keys and suggestions, and nothing typed.
    pub fn new(keymap: Keymap, sources: Sources) -> Self {
        Self {
            text: Text::new(),
            keymap,
            vim: None,
            history: History::default(),
            search: None,
            completer: Completer::new(sources),
            indent: std::cell::Cell::new(0),
        }
    }

    /// Takes a key.
    pub(crate) fn press(&mut self, key: Key, width: usize) -> Pressed {
        if let Some(pressed) = self.press_in_search(key) {
            return pressed;
        }
        if let Some(pressed) = self.press_in_menu(key) {
            return pressed;
        }
        let before = self.text.as_str().len();
        let by_vim = self.vim.as_mut().map(|vim| vim.press(key, &mut self.text));
        let pressed = match by_vim {
            Some(Press::Done | Press::Pending) => Pressed::Nothing,
            Some(Press::Ignored) | None => self.press_in_text(key, width),
        };
        self.keep_vim_in_line();
        if self.completer.is_open() || self.text.as_str().len() > before {
            self.completer
                .follow(self.text.as_str(), self.text.cursor());
        }
        pressed
    }

    fn press_in_text(&mut self, key: Key, width: usize) -> Pressed {
        let contexts: &[Context] = if self.text.is_empty() {
            &[Context::Empty, Context::Input]
        } else {
            &[Context::Input]
        };
        match (self.keymap.action(key, contexts), key.typed()) {
            (Some(action), _) => self.act(action, width),
            (None, Some(typed)) => {
                self.text.insert(typed.encode_utf8(&mut [0; 4]));
                Pressed::Nothing
            }
            (None, None) => Pressed::Nothing,
        }
    }

    /// In vim's normal mode the cursor stands on a character.
    fn keep_vim_in_line(&mut self) {
        if let Some(vim) = &self.vim {
            vim.settle(&mut self.text);
        }
    }

    /// With vim keys, or no more; says which.
    pub fn toggle_vim(&mut self) -> bool {
        self.vim = match self.vim {
            Some(_) => None,
            None => Some(Vim::new()),
        };
        self.vim.is_some()
    }

    /// An open menu has the keys to choose, to take and to close.
    fn press_in_menu(&mut self, key: Key) -> Option<Pressed> {
        if !self.completer.is_open() {
            return None;
        }
        let (text, cursor) = (self.text.as_str(), self.text.cursor());
        match self.keymap.action(key, &[Context::Menu])? {
            Action::CompletePrevious => self.completer.up(),
            Action::CompleteNext => self.completer.down(),
            Action::CompleteClose => self.completer.dismiss(),
            Action::CompleteAccept if key.code == Code::Enter => {
                let taken = self.completer.taken_by_enter(text, cursor).cloned();
                let Some(taken) = taken else {
                    self.completer.close();
                    return Some(Pressed::Submit);
                };
                let runs = slash::split(&taken.insert)
                    .and_then(|(name, _)| slash::find(name))
                    .is_some_and(|slash| matches!(slash.arguments, Arguments::None));
                self.accept(&taken);
                if runs {
                    self.completer.close();
                    return Some(Pressed::Submit);
                }
            }
            Action::CompleteAccept => {
                if let Some(taken) = self.completer.selected().cloned() {
                    self.accept(&taken);
                }
            }
            _ => return None,
        }
        Some(Pressed::Nothing)
    }

    /// Puts a suggestion in. After a directory comes what is in it.
    fn accept(&mut self, taken: &Suggestion) {
        let (put, cursor) = taken.put_into(self.text.as_str());
        self.text.apply(&Edit::replace(taken.replaces.clone(), put));
        self.text.move_to(cursor);
        if taken.finished {
            self.completer.close();
        } else {
            self.completer
                .follow(self.text.as_str(), self.text.cursor());
        }
    }

    /// There is more to suggest.
    pub(crate) fn more(&mut self) {
        self.completer.more(self.text.as_str(), self.text.cursor());
    }

    /// What the program should be asked for.
    pub(crate) fn asks(&mut self) -> Option<Choices> {
        self.completer.asks()
    }

    /// The program's answer.
    pub(crate) fn told(&mut self, of: Choices, choices: Vec<Choice>, looking: bool) {
        self.completer.told(of, choices, looking);
        self.completer
            .follow(self.text.as_str(), self.text.cursor());
    }

    /// What the program has found out meanwhile. A menu that was closed stays so.
    pub(crate) fn told_all(&mut self, of: Choices, choices: Vec<Choice>) {
        self.completer.told_all(of, choices);
        self.more();
    }

    /// What can be chosen to go on with.
    pub(crate) fn menu_lines(&self, width: usize, most: usize) -> Vec<Line> {
        self.completer.lines(width, most)
    }

    fn act(&mut self, action: Action, width: usize) -> Pressed {
        if self.text.perform(action) {
            return Pressed::Nothing;
        }
        let indent = self.indent.get();
        match action {
            Action::Submit if self.continues() => {
                self.text.perform(Action::DeleteLeft);
                self.text.insert("\n");
            }
            Action::Submit => return Pressed::Submit,
            Action::Cancel => return Pressed::Cancel,
            Action::Quit => return Pressed::Interrupt,
            Action::Exit => return Pressed::Quit,
            Action::Suspend => return Pressed::Suspend,
            Action::ClearScreen => return Pressed::ClearScreen,
            Action::OpenExternalEditor => return Pressed::Editor,
            Action::TogglePlan => return Pressed::SwitchMode,
            Action::CycleApprovalMode => return Pressed::CycleApproval,
            Action::ToggleYolo => return Pressed::ToggleYolo,
            Action::Up if self.text.up(width, indent) => {}
            Action::Down if self.text.down(width, indent) => {}
            Action::Up | Action::HistoryPrevious => return Pressed::Older,
            Action::Down | Action::HistoryNext => return Pressed::Newer,
            Action::Complete => {
                let only = self.completer.open(self.text.as_str(), self.text.cursor());
                if let Some(only) = only {
                    self.accept(&only);
                }
            }
            Action::HistorySearch => self.search = Some(Search::default()),
            _ => {}
        }
        Pressed::Nothing
    }

    /// A backslash before Enter asks for another line.
    fn continues(&self) -> bool {
        self.text.as_str()[..self.text.cursor()].ends_with('\\')
    }

    /// What was sent before takes the place of what is written.
    pub(crate) fn older(&mut self) {
        if let Some(entry) = self.history.older(self.text.as_str()) {
            let entry = entry.to_owned();
            self.text.recall(&entry);
        }
    }

    /// What was sent after that.
    pub(crate) fn newer(&mut self) {
        if let Some(entry) = self.history.newer() {
            let entry = entry.to_owned();
            self.text.recall(&entry);
        }
    }

    /// While the history is searched, keys go on with that, or end it.
    fn press_in_search(&mut self, key: Key) -> Option<Pressed> {
        let search = self.search.as_mut()?;
        let Some(action) = self.keymap.action(key, &[Context::Search]) else {
            match (key.typed(), self.keymap.action(key, &[Context::Input])) {
                (Some(typed), _) => search.push(typed, &self.history),
                (None, Some(Action::DeleteLeft)) => search.pop(&self.history),
                // Any other key takes the match, and does what it does.
                _ => {
                    self.take_match();
                    return None;
                }
            }
            return Some(Pressed::Nothing);
        };
        match action {
            Action::SearchOlder => {
                search.again(&self.history);
            }
            Action::SearchNewer => {
                search.back(&self.history);
            }
            Action::SearchAccept => self.take_match(),
            // What was written before is not what was looked for, and nobody means to send it.
            Action::SearchSubmit if search.hit(&self.history).is_none() => {}
            Action::SearchSubmit => {
                self.take_match();
                return Some(Pressed::Submit);
            }
            Action::SearchClose => self.search = None,
            _ => {}
        }
        Some(Pressed::Nothing)
    }

    fn take_match(&mut self) {
        if let Some(search) = self.search.take()
            && let Some(hit) = search.hit(&self.history)
        {
            let hit = hit.to_owned();
            self.text.recall(&hit);
        }
    }

    /// Puts in what was pasted.
    pub(crate) fn paste(&mut self, text: &str) {
        self.text.paste(text);
    }

    /// What was written; nothing is left of it here.
    pub(crate) fn take(&mut self) -> Draft {
        let draft = self.draft();
        self.text.take();
        self.completer.close();
        draft
    }

    /// What is written.
    pub(crate) fn draft(&self) -> Draft {
        Draft {
            content: self.text.as_str().trim().to_owned(),
            text: self.text.expanded().trim().to_owned(),
            shown: self.text.labelled().trim().to_owned(),
        }
    }

    /// This was sent: it can be found in the history.
    pub(crate) fn remember(&mut self, text: &str) {
        self.history.add(text);
    }

    /// This is written again.
    pub(crate) fn put_back(&mut self, draft: &Draft) {
        self.put(&draft.content);
    }

    fn put(&mut self, content: &str) {
        let all = 0..self.text.as_str().len();
        self.text.apply(&Edit::replace(all, content));
    }

    /// Whether nothing is written.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What is written, pasted blocks and all.
    pub(crate) fn expanded(&self) -> String {
        self.text.expanded()
    }

    /// This is written now.
    pub(crate) fn set(&mut self, text: &str) {
        self.text.set(text);
    }

    /// Puts messages before what is written.
    pub(crate) fn put_before(&mut self, drafts: &[Draft]) {
        let drafts = drafts.iter().map(|draft| draft.content.as_str());
        let written = Some(self.text.as_str()).filter(|written| !written.is_empty());
        let all: Vec<&str> = drafts.chain(written).collect();
        let all = all.join("\n\n");
        self.put(&all);
    }

    /// Puts a text in the place of what was written; what has come before that stays.
    pub(crate) fn replace(&mut self, was: &str, text: &str) {
        let written = self.text.expanded();
        match written.strip_suffix(was) {
            Some(before) => self.text.set(&format!("{before}{text}")),
            None => self.text.set(&format!("{written}\n\n{text}")),
        }
    }

    /// Nothing is written; what was can be yanked.
    pub(crate) fn clear(&mut self) {
        self.text.perform(Action::Clear);
    }

    /// A word on what keys do now, where that is not as usual.
    pub(crate) fn status(&self) -> Option<String> {
        let Some(search) = &self.search else {
            return self.vim.as_ref().map(Vim::status);
        };
        let found = match (search.query(), search.hit(&self.history)) {
            ("", _) => "type what it has",
            (_, Some(hit)) => hit.lines().next().unwrap_or_default(),
            (_, None) => "no match",
        };
        Some(one_line(&format!("search: {} -> {found}", search.query())))
    }

    /// The prompt and what is written, in at most so many rows, and where the cursor is.
    pub(crate) fn lines(&self, prompt: &Line, width: usize, most: usize) -> (Vec<Line>, Position) {
        self.indent.set(prompt.width());
        written(&self.text, prompt, width, most)
    }

    /// Which key does what.
    pub(crate) fn keymap(&self) -> &Keymap {
        &self.keymap
    }

    /// The key that does this, in a hint.
    pub(crate) fn key_of(&self, action: Action) -> String {
        let first = self.keymap.keys(action).first().copied();
        first.map_or_else(|| action.to_string(), |key| key.to_string())
    }

    /// Keys and what they do, for `/help`.
    pub(crate) fn keys_in_words(&self, actions: &[Action]) -> Vec<(String, &'static str)> {
        let rows = actions.iter().filter_map(|action| {
            let keys = self.keymap.keys(*action);
            let keys: Vec<String> = keys.iter().take(2).map(ToString::to_string).collect();
            (!keys.is_empty()).then(|| (keys.join(", "), action.description()))
        });
        rows.collect()
    }
}

/// A prompt and the text after it, in at most so many rows, and where the cursor is in them. A long
/// text is shown around the cursor.
pub(crate) fn written(
    text: &Text,
    prompt: &Line,
    width: usize,
    most: usize,
) -> (Vec<Line>, Position) {
    let most = most.max(1);
    let (rows, (row, column)) = text.layout(width, prompt.width(), most);
    // As much above as below, unless there is less of one.
    let last = rows.len().saturating_sub(most);
    let first = row.saturating_sub(most / 2).min(last);
    let shown = rows.iter().enumerate().skip(first).take(most);
    let lines = shown.map(|(number, row)| {
        let text = text.shown(row);
        match number {
            0 => prompt.clone().with(text, Style::PLAIN),
            _ => Line::plain(text),
        }
    });
    let row = row - first;
    (lines.collect(), Position { row, column })
}
