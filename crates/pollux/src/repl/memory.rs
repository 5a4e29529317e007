//! `/memory`: what is written down for the model, and adding to it.

use std::path::Path;

use pollux_store::Home;
use pollux_store::memory::{self, Memory, MemoryFile};
use pollux_tui::program::Answer;
use pollux_types::{Command, tokens};

use crate::told::memory_places;

const NONE: &str = "nothing is written down for the model; `/memory add TEXT` begins POLLUX.md, and \
                    AGENTS.md, GEMINI.md and CLAUDE.md are read too";

/// What is told to the person, and done.
pub(super) fn answer(words: &str, memory: &Memory, home: &Home, cwd: &Path) -> Answer {
    let (word, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let text = match word {
        "" | "show" | "list" if memory.files.is_empty() => NONE.to_owned(),
        "" | "show" => memory.to_string(),
        "list" => {
            return Answer {
                rows: memory.files.iter().map(row).collect(),
                ..Answer::default()
            };
        }
        "add" => return added(rest.trim(), home, cwd),
        _ => {
            "`/memory` shows it; there are also `/memory list`, `reload` and `add TEXT`".to_owned()
        }
    };
    Answer {
        text,
        ..Answer::default()
    }
}

/// A file, and what it costs.
fn row(file: &MemoryFile) -> (String, String) {
    let tokens = tokens::estimate(&file.text);
    let path = file.path.display();
    (path.to_string(), format!("about {tokens} tokens"))
}

fn added(words: &str, home: &Home, cwd: &Path) -> Answer {
    let (word, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let added = match word {
        "--user" => memory::add_to_user(home, rest),
        _ => memory::add_to_project(memory_places(home, cwd), words),
    };
    match added {
        Ok(file) => Answer {
            text: format!("added to {}", file.display()),
            then: Some(Command::ReadMemory),
            ..Answer::default()
        },
        Err(why) => Answer {
            text: format!("nothing was added: {why}"),
            ..Answer::default()
        },
    }
}
