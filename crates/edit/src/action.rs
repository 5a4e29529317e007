//! Everything a key can do: one table with names, keys and what it is.
//!
//! Recipe for an action: a row in `actions!`. If it changes text, an arm in `perform.rs`; otherwise
//! the front end does it.

use std::fmt;

/// When a key means something. A front end asks for the innermost context first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// Writing a prompt, or an answer.
    Input,
    /// Writing a prompt of which nothing is there yet; then `Input`.
    Empty,
    /// Suggestions are shown; then `Input`.
    Menu,
    /// The history is being searched; then `Input`.
    Search,
}

macro_rules! actions {
    ($($variant:ident $name:literal $context:ident [$($key:literal),*] $what:literal;)*) => {
        /// Something a key does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $(#[doc = $what] $variant,)*
        }

        impl Action {
            /// All of them, in the order in which they are told about.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            const fn row(self) -> (&'static str, Context, &'static [&'static str], &'static str) {
                match self {
                    $(Self::$variant => ($name, Context::$context, &[$($key),*], $what),)*
                }
            }
        }
    };
}

actions! {
    // variant          name                    context keys and what it does
    Submit              "submit"                Input  ["enter"]                                     "Send the prompt";
    Newline             "newline"               Input  ["ctrl+j", "alt+enter", "shift+enter", "ctrl+enter", "cmd+enter"] "Begin a new line";
    Cancel              "cancel"                Input  ["esc", "ctrl+["]                             "Stop what is running, or clear the input";
    Quit                "quit"                  Input  ["ctrl+c"]                                    "End pollux";
    Exit                "exit"                  Empty  ["ctrl+d"]                                    "End pollux when nothing is written";
    Suspend             "suspend"               Input  ["ctrl+z"]                                    "Go to the background; `fg` comes back";
    ClearScreen         "clearScreen"           Input  ["ctrl+l"]                                    "Clear the screen";

    Home                "home"                  Input  ["home", "ctrl+a"]                            "To the start of the line";
    End                 "end"                   Input  ["end", "ctrl+e"]                             "To the end of the line";
    TextStart           "textStart"             Input  ["ctrl+home", "alt+<"]                        "To the start of the text";
    TextEnd             "textEnd"               Input  ["ctrl+end", "alt+>"]                         "To the end of the text";
    Up                  "up"                    Input  ["up"]                                        "To the row above, then back in the history";
    Down                "down"                  Input  ["down"]                                      "To the row below, then forward in the history";
    Left                "left"                  Input  ["left", "ctrl+b"]                            "One character to the left";
    Right               "right"                 Input  ["right", "ctrl+f"]                           "One character to the right";
    WordLeft            "wordLeft"              Input  ["ctrl+left", "alt+left", "alt+b"]            "One word to the left";
    WordRight           "wordRight"             Input  ["ctrl+right", "alt+right", "alt+f"]          "One word to the right";

    DeleteLeft          "deleteLeft"            Input  ["backspace", "shift+backspace", "ctrl+h"]    "Delete the character to the left";
    DeleteRight         "deleteRight"           Input  ["delete", "ctrl+d"]                          "Delete the character to the right";
    DeleteWordLeft      "deleteWordLeft"        Input  ["ctrl+w", "alt+backspace", "ctrl+backspace"] "Cut the word to the left";
    DeleteWordRight     "deleteWordRight"       Input  ["alt+d", "alt+delete", "ctrl+delete"]        "Cut the word to the right";
    DeleteLeftAll       "deleteLeftAll"         Input  ["ctrl+u"]                                    "Cut the line up to the cursor";
    DeleteRightAll      "deleteRightAll"        Input  ["ctrl+k"]                                    "Cut the rest of the line";
    Clear               "clear"                 Input  []                                            "Cut everything";
    Yank                "yank"                  Input  ["ctrl+y"]                                    "Put in what was cut last";
    YankOlder           "yankOlder"             Input  ["alt+y"]                                     "After yank: put in the cut before instead";
    Transpose           "transpose"             Input  ["ctrl+t"]                                    "Swap the characters around the cursor";
    Undo                "undo"                  Input  ["ctrl+_", "ctrl+/", "ctrl+7", "alt+z", "cmd+z"] "Take the last change back";
    Redo                "redo"                  Input  ["alt+shift+z", "ctrl+shift+z", "cmd+shift+z"] "Make it again";
    ExpandPaste         "expandPaste"           Input  ["ctrl+o"]                                    "Show a pasted block in full";
    OpenExternalEditor  "openExternalEditor"    Input  ["ctrl+g", "ctrl+shift+g"]                    "Write in your editor";

    HistoryPrevious     "history.previous"      Input  ["ctrl+p"]                                    "The prompt before";
    HistoryNext         "history.next"          Input  ["ctrl+n"]                                    "The prompt after";
    HistorySearch       "history.search"        Input  ["ctrl+r"]                                    "Search the history";
    SearchOlder         "history.search.older"  Search ["ctrl+r", "up", "ctrl+p"]                    "The match before";
    SearchNewer         "history.search.newer"  Search ["ctrl+s", "down", "ctrl+n"]                  "The match after";
    SearchAccept        "history.search.accept" Search ["tab", "right"]                              "Take the match to edit it";
    SearchSubmit        "history.search.submit" Search ["enter"]                                     "Send the match";
    SearchClose         "history.search.close"  Search ["esc", "ctrl+g"]                             "Back to what was written";

    Complete            "complete"              Input  ["tab"]                                       "Complete the word";
    CompleteAccept      "complete.accept"       Menu   ["tab", "enter"]                              "Take the suggestion";
    CompletePrevious    "complete.previous"     Menu   ["up", "ctrl+p"]                              "The suggestion above";
    CompleteNext        "complete.next"         Menu   ["down", "ctrl+n"]                            "The suggestion below";
    CompleteClose       "complete.close"        Menu   ["esc"]                                       "Close the suggestions";

    TogglePlan          "togglePlan"            Empty  ["tab"]                                       "Between building and planning when nothing is written";
    CycleApprovalMode   "cycleApprovalMode"     Input  ["shift+tab"]                                 "The next approval mode";
    ToggleYolo          "toggleYolo"            Input  []                                            "Approve everything, or no longer";
}

impl Action {
    /// Its name in settings.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// When its keys count.
    pub const fn context(self) -> Context {
        self.row().1
    }

    /// Its keys unless settings say otherwise.
    pub const fn default_keys(self) -> &'static [&'static str] {
        self.row().2
    }

    /// What it does, in a line.
    pub const fn description(self) -> &'static str {
        self.row().3
    }

    /// The action with this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|action| action.name() == name)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
