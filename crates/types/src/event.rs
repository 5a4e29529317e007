//! What the agent tells a front end.
//!
//! Events arrive in the order in which things happen. From `Command::Submit` and `Command::Run` on the
//! front end is busy until `PromptEnded`. If no `PromptStarted` came before that, the prompt was not
//! taken up: nothing of it is recorded, and the person may want the text back.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::again::Again;
use crate::approval::ApprovalRequest;
use crate::command_ran::CommandRan;
use crate::id::{PromptId, SessionId};
use crate::message::FunctionCall;
use crate::mode::Mode;
use crate::question::Question;
use crate::todo::Todo;
use crate::tool::CallView;
use crate::usage::{Before, FinishReason, Usage};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A prompt was taken up and is in the log.
    PromptStarted {
        /// Carried through all rounds of this prompt.
        prompt_id: PromptId,
    },
    /// The next words of the answer.
    Content {
        /// As they came; not yet made safe for a terminal.
        text: String,
    },
    /// The next piece of the model's reasoning.
    Thought {
        /// Its heading, where the model gave one.
        subject: String,
        /// The rest.
        description: String,
    },
    /// All content of this reply so far was a thought, whose beginning was not marked.
    WasThought,
    /// The model asks for a tool. Sent when the reply is complete, before anything runs.
    ToolCallRequest(FunctionCall),
    /// A call came to a new status, or has new output.
    ToolCallUpdate(CallView),
    /// A call waits for the person. One is asked at a time, in the order of the calls.
    ApprovalNeeded(ApprovalRequest),
    /// The model asks the person. Answered with `Command::Answer`; nothing else is asked meanwhile.
    QuestionsAsked {
        /// What, one after the other.
        questions: Vec<Question>,
    },
    /// One reply of the model is complete.
    Finished {
        /// Why it ended.
        reason: FinishReason,
        /// The provider's own word for it, where the reason alone does not tell.
        detail: Option<String>,
        /// What it cost.
        usage: Usage,
    },
    /// A request failed and will be sent again. All that came of the failed reply is void: its
    /// content and its thoughts are to be dropped.
    Retry {
        /// Which try comes next, counted from 1.
        attempt: u32,
        /// How many there will be at most.
        attempts: u32,
        /// How long it will be until then.
        wait: Duration,
        /// Why the last one failed.
        reason: String,
    },
    /// Another model is asked from now on. As with `Retry`, all that came of a reply that is not
    /// finished is void.
    ModelChanged {
        /// Whose model it is.
        provider: String,
        /// What it is called.
        model: String,
        /// Why it is asked.
        reason: String,
    },
    /// How full the conversation is: sent after each reply, after a command of the person's own, and
    /// when a session begins.
    Context {
        /// What the last request and its reply came to, with all that was added since.
        tokens: usize,
        /// How much there is room for, where that is known.
        limit: Option<usize>,
        /// What of that comes before the conversation.
        before: Before,
    },
    /// The mode has changed.
    ModeChanged {
        /// The mode from now on.
        mode: Mode,
    },
    /// A command of the person's own has ended, or did not run. The call itself is told by
    /// `ToolCallUpdate` while it runs.
    CommandRan(CommandRan),
    /// Another session is talked to from now on.
    SessionChanged {
        /// Which one.
        session: SessionId,
        /// Whose model answers.
        provider: String,
        /// What it is called.
        model: String,
        /// What was said and done in it.
        again: Again,
        /// What the model has set out to do in it.
        todos: Vec<Todo>,
    },
    /// The session has another name.
    SessionNamed {
        /// What it is called from now on.
        name: String,
    },
    /// Something the person should know that is not an error.
    Notice {
        /// A short stable word to branch on.
        kind: NoticeKind,
        /// One line.
        message: String,
    },
    /// The work on the prompt is over.
    PromptEnded(PromptEnd),
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// An unanswered turn is not sent to the model.
    TurnLeftOut,
    /// A setting cannot be used.
    BadSetting,
    /// The folder brings something that is not read, since it is not trusted.
    FolderUntrusted,
    /// Nothing says who is to answer: a server on this machine does, or the offline model.
    LocalServer,
    /// The model writes its tool calls as text, or takes no tools in any other form.
    TextToolCalls,
    /// The server has not read all of the request.
    PromptCut,
    /// A stored session was damaged and has been read as far as possible.
    SessionDamaged,
    /// The answer was cut off or withheld by the provider.
    AnswerCut,
    /// The answer repeats a source.
    Citation,
    /// Something is wrong with a memory file, or memory was read again.
    Memory,
    /// A skill cannot be used.
    Skill,
    /// An `@` in the prompt looks like a file and names none.
    NoSuchFile,
    /// A server that had ended was started again.
    ServerRestarted,
    /// The person is here for the first time.
    Welcome,
    /// The server does not list the model that it is asked for.
    ModelUnlisted,
    /// What the person asked for could not be done, and nothing has changed.
    NotDone,
}

/// How the work on a prompt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum PromptEnd {
    /// The model answered without asking for more tools.
    Completed,
    /// The user stopped it.
    UserCancelled,
    /// The limit of model requests for one prompt was reached.
    MaxTurns {
        /// That limit.
        limit: usize,
    },
    /// It cannot go on.
    Error(Failure),
}

/// Why the work on a prompt cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What sort of failure; decides the exit code.
    pub kind: FailureKind,
    /// What happened, and to what.
    pub message: String,
    /// What to do about it, where there is something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The sorts of failure that end a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// What the prompt names cannot be read.
    Input,
    /// The provider does not accept the credentials.
    Auth,
    /// The model could not be reached, or its reply cannot be used.
    Model,
    /// A tool failed in a way that makes going on pointless.
    FatalTool,
    /// The session could not be written to disk.
    Store,
}
