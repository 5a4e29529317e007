//! One JSON object at the end, errors included.

use std::io::{self, Stdout};

use pollux_model::ModelInfo;
use pollux_types::Event;
use serde_json::{Value, json};

use super::stats::Stats;
use super::{About, End, Report, fields, put_line};

/// Collects a run and prints it as one object.
pub(super) struct Json {
    out: Stdout,
    about: Option<About>,
    /// Who answers.
    model: Option<ModelInfo>,
    notices: Vec<Value>,
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
            model: None,
            notices: Vec::new(),
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
        self.model = Some(about.model.clone());
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.stats.count(event);
        self.notices.extend(fields::notice(event));
        if let Event::ModelChanged {
            provider, model, ..
        } = event
        {
            self.model = Some(ModelInfo {
                provider: provider.clone(),
                model: model.clone(),
            });
        }
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
        if let Some(ModelInfo { provider, model }) = &self.model {
            object["model"] = json!(model);
            object["provider"] = json!(provider);
        }
        let mut notices: Vec<Value> = fields::early_notices(end.failure.as_ref()).collect();
        notices.append(&mut self.notices);
        object["notices"] = notices.into();
        if let Some(failure) = &end.failure {
            object["error"] = fields::error(failure);
        }
        put_line(&mut self.out, &object)
    }
}
