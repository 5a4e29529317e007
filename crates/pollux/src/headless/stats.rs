//! Counting what a run did and cost.

use std::collections::BTreeMap;

use pollux_types::{CallStatus, CallView, Event, Usage};
use serde_json::{Value, json};

/// Sums over a run.
#[derive(Debug, Default)]
pub(super) struct Stats {
    pub(super) usage: Usage,
    requests: u64,
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
            Event::Finished { usage, .. } => {
                self.usage += *usage;
                self.requests += 1;
            }
            Event::ToolCallUpdate(view) if view.status.is_terminal() => self.count_call(view),
            _ => {}
        }
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
    pub(super) fn whole(&self, model: Option<&str>) -> Value {
        let Usage {
            input,
            output,
            cached,
            thoughts,
        } = self.usage;
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
        let tokens = json!({
            "input": input.saturating_sub(cached), "prompt": input,
            "candidates": output.saturating_sub(thoughts), "total": self.usage.total(),
            "cached": cached, "thoughts": thoughts,
        });
        let mut models = serde_json::Map::new();
        if let Some(model) = model {
            let api = json!({"totalRequests": self.requests});
            models.insert(model.to_owned(), json!({"api": api, "tokens": tokens}));
        }
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
