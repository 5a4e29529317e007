//! One JSON object a line, as things happen.

use std::io::{self, Stdout};
use std::time::Instant;

use jiff::Timestamp;
use pollux_types::{CallStatus, CallView, Event, FunctionCall, Role};
use serde_json::{Value, json};

use super::stats::Stats;
use super::{About, End, Report, fields, put_line};
use crate::failure::Exit;

/// Prints each event as it comes.
pub(super) struct StreamJson {
    out: Stdout,
    now: fn() -> Timestamp,
    started: Instant,
    stats: Stats,
}

impl StreamJson {
    pub(super) fn new(out: Stdout) -> Self {
        let stats = Stats::default();
        Self {
            out,
            now: Timestamp::now,
            started: Instant::now(),
            stats,
        }
    }

    fn line(&mut self, kind: &str, fields: Value) -> io::Result<()> {
        let mut object = serde_json::Map::new();
        object.insert("type".into(), kind.into());
        object.insert("timestamp".into(), format!("{:.3}", (self.now)()).into());
        if let Value::Object(fields) = fields {
            object.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
        }
        put_line(&mut self.out, &object)
    }

    fn call_ended(&mut self, view: &CallView) -> io::Result<()> {
        let status = match view.status {
            CallStatus::Success => "success",
            CallStatus::Cancelled => "cancelled",
            _ => "error",
        };
        let fields = json!({
            "tool_id": view.id, "status": status, "output": view.output, "error": view.error,
        });
        self.line("tool_result", fields)
    }
}

impl Report for StreamJson {
    fn begin(&mut self, about: &About) -> io::Result<()> {
        self.now = about.now;
        self.stats.answered_by(&about.model.model);
        let About {
            session,
            model,
            base_url,
            prompt,
            ..
        } = about;
        let fields = json!({
            "session_id": session, "model": model.model, "provider": model.provider,
            "base_url": base_url,
        });
        self.line("init", fields)?;
        self.line("message", json!({"role": Role::User, "content": prompt}))
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.stats.count(event);
        match event {
            Event::Content { text } => self.line(
                "message",
                json!({"role": "assistant", "content": text, "delta": true}),
            ),
            Event::Thought {
                subject,
                description,
            } => {
                // Behind a heading the line breaks say nothing; words that come alone are joined.
                let description = match subject.as_str() {
                    "" => description.as_str(),
                    _ => description.trim(),
                };
                self.line(
                    "thought",
                    json!({"subject": subject, "description": description}),
                )
            }
            Event::ToolCallRequest(FunctionCall { id, name, args, .. }) => self.line(
                "tool_use",
                json!({"tool_name": name, "tool_id": id, "parameters": args}),
            ),
            Event::ToolCallUpdate(view) if self.stats.has_ended(view) => self.call_ended(view),
            Event::Retry { .. }
            | Event::ModelChanged { .. }
            | Event::WasThought
            | Event::Notice { .. } => match fields::notice(event) {
                Some(fields) => self.line("notice", fields),
                None => Ok(()),
            },
            // Nobody is asked here.
            Event::ApprovalNeeded(_)
            | Event::QuestionsAsked { .. }
            | Event::PromptStarted { .. }
            | Event::ToolCallUpdate(_)
            | Event::Finished { .. }
            | Event::Context { .. }
            | Event::ModeChanged { .. }
            | Event::SessionNamed { .. }
            | Event::CommandRan(_)
            | Event::SessionChanged { .. }
            | Event::PromptEnded(_) => Ok(()),
        }
    }

    fn end(&mut self, end: &End) -> io::Result<()> {
        let status = match end.exit {
            Exit::Done => "success",
            Exit::Cancelled => "cancelled",
            _ => "error",
        };
        for notice in fields::early_notices(end.failure.as_ref()) {
            self.line("notice", notice)?;
        }
        if let (Some(failure), "error") = (&end.failure, status) {
            let fields = json!({
                "severity": "error", "message": failure.message, "hint": failure.hint,
            });
            self.line("error", fields)?;
        }
        let error = end.failure.as_ref().map(fields::error);
        let usage = self.stats.usage();
        let sums = json!({
            "total_tokens": usage.total(),
            "input_tokens": usage.input,
            "output_tokens": usage.output,
            "cached": usage.cached,
            "duration_ms": u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            "tool_calls": self.stats.tool_calls(),
        });
        self.line(
            "result",
            json!({"status": status, "error": error, "stats": sums}),
        )
    }
}
