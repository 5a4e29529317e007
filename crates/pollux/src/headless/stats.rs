//! Counting what a run did and cost.

use std::collections::{BTreeMap, HashSet};

use pollux_types::usage::SpentBy;
use pollux_types::{CallId, CallStatus, CallView, Event, Spent, Usage};
use serde_json::{Value, json};

/// Sums over a run.
#[derive(Debug, Default)]
pub(super) struct Stats {
    spent: Spent,
    /// The calls that a model has asked for. What was read for the prompt is none of them.
    requested: HashSet<CallId>,
    tools: BTreeMap<String, ToolCount>,
    added: usize,
    removed: usize,
}

#[derive(Debug, Default)]
struct ToolCount {
    success: u64,
    fail: u64,
}

impl Stats {
    pub(super) fn count(&mut self, event: &Event) {
        match event {
            Event::Finished { usage, .. } => self.spent.add(*usage),
            Event::ModelChanged { model, .. } => self.answered_by(model),
            Event::ToolCallRequest(call) => {
                self.requested.insert(call.id.clone());
            }
            Event::ToolCallUpdate(view) if self.has_ended(view) => self.count_call(view),
            _ => {}
        }
    }

    /// From now on this model answers.
    pub(super) fn answered_by(&mut self, model: &str) {
        self.spent.answered_by(model);
    }

    /// What all models cost together.
    pub(super) fn usage(&self) -> Usage {
        self.spent.usage()
    }

    /// Whether a call of the model has come to its end.
    pub(super) fn has_ended(&self, view: &CallView) -> bool {
        view.status.is_terminal() && self.requested.contains(&view.id)
    }

    fn count_call(&mut self, view: &CallView) {
        let tool = self.tools.entry(view.name.clone()).or_default();
        match view.status {
            CallStatus::Success => tool.success += 1,
            _ => tool.fail += 1,
        }
        self.added += view
            .changes
            .iter()
            .map(|change| change.added)
            .sum::<usize>();
        self.removed += view
            .changes
            .iter()
            .map(|change| change.removed)
            .sum::<usize>();
    }

    pub(super) fn tool_calls(&self) -> u64 {
        self.tools
            .values()
            .map(|tool| tool.success + tool.fail)
            .sum()
    }

    /// The `stats` of the `json` format.
    pub(super) fn whole(&self) -> Value {
        let sum = |count: fn(&ToolCount) -> u64| self.tools.values().map(count).sum::<u64>();
        let by_name: serde_json::Map<String, Value> = self
            .tools
            .iter()
            .map(|(name, ToolCount { success, fail })| {
                let count = success + fail;
                (
                    name.clone(),
                    json!({"count": count, "success": success, "fail": fail}),
                )
            })
            .collect();
        let models = self.spent.by_model().iter();
        let models: serde_json::Map<String, Value> =
            models.map(|by| (by.model.clone(), whole(by))).collect();
        json!({
            "models": models,
            "tools": {
                "totalCalls": self.tool_calls(),
                "totalSuccess": sum(|tool| tool.success),
                "totalFail": sum(|tool| tool.fail),
                "byName": by_name,
            },
            "files": {"totalLinesAdded": self.added, "totalLinesRemoved": self.removed},
        })
    }
}

/// What one model has used.
fn whole(by: &SpentBy) -> Value {
    let Usage {
        input,
        output,
        cached,
        thoughts,
    } = by.usage;
    let tokens = json!({
        "input": input.saturating_sub(cached), "prompt": input,
        "candidates": output.saturating_sub(thoughts), "total": by.usage.total(),
        "cached": cached, "thoughts": thoughts,
    });
    json!({"api": {"totalRequests": by.requests}, "tokens": tokens})
}
