//! `question`: the model asks the person.

use futures_util::future::BoxFuture;
use pollux_types::{Question, QuestionOption, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};

use crate::failure::cancelled;
use crate::schema::{self, refusal};
use crate::{BadArgs, Effects, Outcome, Output, Plan, RunContext, Tool};

/// Questions that wait for their answers; `None` if the person has sent them away.
#[derive(Debug)]
pub struct Asking {
    /// What is asked, one after the other.
    pub questions: Vec<Question>,
    /// Where the answers go.
    pub answers: oneshot::Sender<Option<Vec<String>>>,
}

/// The way from a running call to the person.
#[derive(Clone, Debug, Default)]
pub struct Prompter(Option<mpsc::UnboundedSender<Asking>>);

impl Prompter {
    /// Somebody who asks, and where what is asked arrives.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Asking>) {
        let (sender, asked) = mpsc::unbounded_channel();
        (Self(Some(sender)), asked)
    }

    /// The answers; an error if nobody is there.
    async fn ask(&self, questions: Vec<Question>) -> Result<Option<Vec<String>>, Nobody> {
        let (answers, answered) = oneshot::channel();
        let asking = Asking { questions, answers };
        let sender = self.0.as_ref().ok_or(Nobody)?;
        sender.send(asking).map_err(|_| Nobody)?;
        answered.await.map_err(|_| Nobody)
    }
}

/// Nobody can be asked.
struct Nobody;

/// The tool.
pub(crate) struct AskUser {
    spec: ToolSpec,
}

/// What the model writes.
#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// Put to the user one after the other.
    questions: Vec<AskedQuestion>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct AskedQuestion {
    question: String,
    /// At least two, the one you recommend first.
    options: Vec<AskedOption>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct AskedOption {
    label: String,
    /// What choosing it means.
    #[serde(default)]
    description: Option<String>,
}

impl AskUser {
    pub(crate) fn new() -> Self {
        let description = "Asks the user to decide something that only they can decide. Not for \
                           permission, and not for what you can find out.";
        let spec = schema::spec::<Args>("question", description);
        Self { spec }
    }
}

impl Tool for AskUser {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["ask_user"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        if args.questions.is_empty() {
            return Err(refusal(&self.spec, "`questions`: there is none"));
        }
        if args.questions.iter().any(|asked| asked.options.len() < 2) {
            let wrong = "`options`: a question has at least two";
            return Err(refusal(&self.spec, wrong));
        }
        let questions = args.questions.into_iter().map(Question::from).collect();
        Ok(Box::new(Questions(questions)))
    }
}

impl From<AskedQuestion> for Question {
    fn from(asked: AskedQuestion) -> Self {
        let option = |asked: AskedOption| QuestionOption {
            label: asked.label,
            description: asked.description,
        };
        Self {
            question: asked.question,
            options: asked.options.into_iter().map(option).collect(),
        }
    }
}

struct Questions(Vec<Question>);

impl Plan for Questions {
    fn effects(&self) -> Effects {
        Effects::default()
    }

    fn summary(&self) -> String {
        let first = self.0.first().map_or("", |asked| asked.question.as_str());
        match self.0.len() {
            1 => first.to_owned(),
            several => format!("{first} ({several} questions)"),
        }
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            let answers = tokio::select! {
                biased;
                () = context.cancel.cancelled() => return Err(cancelled()),
                answers = context.prompter.ask(self.0.clone()) => answers,
            };
            let text = match answers {
                Err(Nobody) => "Nobody can be asked. Proceed with your best judgment.".to_owned(),
                Ok(None) => "The user has dismissed the questions, and all answers so far. Go on \
                             without, and do not ask them again."
                    .to_owned(),
                Ok(Some(answers)) => told(&self.0, &answers),
            };
            Ok(Output::text(text))
        })
    }
}

/// Questions and answers, for the model.
fn told(questions: &[Question], answers: &[String]) -> String {
    let pairs = questions.iter().zip(answers);
    let pairs: Vec<String> = pairs
        .map(|(asked, answer)| format!("{}\nanswer: {answer}", asked.question))
        .collect();
    pairs.join("\n\n")
}
