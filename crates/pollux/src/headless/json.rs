//! One JSON object at the end, errors included.

use std::io::{self, Stdout};

use pollux_types::Event;
use serde_json::json;

use super::stats::Stats;
use super::{About, End, Report, put_line};

/// Collects a run and prints it as one object.
pub(super) struct Json {
    out: Stdout,
    about: Option<About>,
    response: String,
    /// How much of that was there before the reply that is coming in.
    before: usize,
    stats: Stats,
}

impl Json {
    pub(super) fn new(out: Stdout) -> Self {
        Self {
            out,
            about: None,
            response: String::new(),
            before: 0,
            stats: Stats::default(),
        }
    }
}

impl Report for Json {
    fn begin(&mut self, about: &About) -> io::Result<()> {
        self.stats.answered_by(&about.model.model);
        self.about = Some(about.clone());
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.stats.count(event);
        match event {
            Event::Content { text } => self.response.push_str(text),
            // What was said before a call is not the answer.
            Event::ToolCallRequest(_) => self.response.clear(),
            Event::Finished { .. } => self.before = self.response.len(),
            Event::Retry { .. } | Event::ModelChanged { .. } | Event::WasThought => {
                self.response.truncate(self.before);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, end: &End) -> io::Result<()> {
        let mut object = json!({
            "session_id": self.about.as_ref().map(|about| &about.session),
            "response": self.response,
            "stats": self.stats.whole(),
        });
        if let Some(failure) = &end.failure {
            object["error"] = json!({
                "type": failure.exit.word(),
                "message": failure.message,
                "code": failure.exit.code(),
            });
        }
        put_line(&mut self.out, &object)
    }
}
