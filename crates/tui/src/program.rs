//! What the REPL asks of the program around it.

use std::io;
use std::pin::Pin;

use pollux_types::{Command, FileChange, Mode, Spent};

/// An answer that takes a moment.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answer> + 'a>>;

/// A text that somebody is changing.
pub type Edited<'a> = Pin<Box<dyn Future<Output = io::Result<Option<String>>> + 'a>>;

/// Choices that take a moment.
pub type Choosing<'a> = Pin<Box<dyn Future<Output = Vec<Choice>> + 'a>>;

/// The program: it knows files, servers and processes, of which the REPL knows nothing.
pub trait Program {
    /// Answers a question of a slash command.
    fn answer(&self, inquiry: Inquiry) -> Answering<'_>;

    /// Lets the person change a text in their editor, which has the terminal meanwhile; `None` if
    /// it stays as it is. The name is for the editor, which goes by its ending.
    fn edit(&self, content: &str, name: &str) -> Edited<'_>;

    /// What may follow a command as its argument, as far as that can be told at once.
    fn choices(&self, of: Choices) -> Vec<Choice>;

    /// The same with all that others have to be asked for; `None` if there is nobody to ask.
    fn more_choices(&self, of: Choices) -> Option<Choosing<'_>>;
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inquiry {
    /// What is running here?
    About,
    /// What would a report of a defect need?
    Bug,
    /// What does that cost?
    Cost(Spent),
    /// What has changed in the project?
    Diff {
        /// Below this path, or anywhere if it is empty.
        path: String,
        /// What the model has edited, for where nobody else knows.
        edits: Vec<FileChange>,
    },
    /// Does everything work?
    Doctor,
    /// Where is this session now, as a file of its own?
    Export {
        /// Which one.
        session: String,
        /// As what, and where.
        words: String,
    },
    /// What is the model to be told, so that it writes down what the project is about?
    Init,
    /// How do MCP servers stand? Or: connect to them anew.
    Mcp(String),
    /// What is written down for the model? Or: write down more.
    Memory(String),
    /// Who can answer?
    Models,
    /// What is always allowed? Or: take a rule out.
    Permissions(String),
    /// Who is set up to serve models?
    Providers,
    /// What confines commands here?
    Sandbox,
    /// What was talked about before?
    Sessions,
    /// What is set, and where?
    Settings,
    /// What has the model instructions for? Or: have it use some.
    Skills(String),
    /// What can be called in this mode?
    Tools(Mode),
}

/// What the program says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Changes of files to show before that.
    pub changes: Vec<FileChange>,
    /// What is shown in two columns before that.
    pub rows: Vec<(String, String)>,
    /// For the person, any number of lines.
    pub text: String,
    /// What the agent is to be told in consequence.
    pub then: Option<Command>,
    /// What the model is to be told, as if the person had typed it.
    pub message: Option<String>,
}

/// Things that can be chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices {
    /// Who can answer.
    Models,
    /// Who serves models.
    Providers,
    /// Stored sessions of this project.
    Sessions,
    /// What servers have that can be put into a message.
    Resources,
    /// What the model has instructions for.
    Skills,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is typed.
    pub word: String,
    /// What it is.
    pub description: String,
}
