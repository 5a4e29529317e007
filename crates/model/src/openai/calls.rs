//! Putting tool calls together from their fragments.
//!
//! Fragments belong together by index; servers leave the index out, repeat it for every call, or
//! send a finished call again, so ids and completeness help. Arguments are never repaired.

use pollux_types::{CallId, FunctionCall};
use serde_json::{Map, Value};

use super::wire::{CallFragment, FunctionFragment};
use crate::{Delta, arguments};

/// The calls of one reply, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Building>);

#[derive(Debug, Default)]
struct Building {
    index: Option<u64>,
    id: String,
    name: String,
    /// The text so far.
    text: String,
    /// The arguments, where the server sent an object.
    object: Option<Map<String, Value>>,
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the next fragment.
    pub(super) fn add(&mut self, fragment: CallFragment) {
        let CallFragment {
            index,
            id,
            function,
        } = fragment;
        let id = id.unwrap_or_default();
        let FunctionFragment { name, arguments } = function.unwrap_or_default();
        let name = name.unwrap_or_default();
        if let Some(call) = self.place(index, &id, &name) {
            call.extend(&id, &name, arguments);
        } else {
            let mut call = Building {
                index,
                ..Building::default()
            };
            call.extend(&id, &name, arguments);
            self.0.push(call);
        }
    }

    /// The call that a fragment continues, if any.
    fn place(&mut self, index: Option<u64>, id: &str, name: &str) -> Option<&mut Building> {
        let call = match index {
            Some(_) => self.0.iter_mut().rev().find(|call| call.index == index)?,
            None if !id.is_empty() => self.0.iter_mut().find(|call| call.id == id)?,
            None => self.0.last_mut()?,
        };
        let other_id = !id.is_empty() && !call.id.is_empty() && call.id != id;
        // Without ids, a name after complete arguments can only begin another call.
        let next_call = id.is_empty() && !name.is_empty() && call.is_complete();
        (!other_id && !next_call).then_some(call)
    }

    /// All calls, whole or broken.
    pub(super) fn finish(self) -> impl Iterator<Item = Delta> {
        self.0.into_iter().map(Building::finish)
    }
}

impl Building {
    fn extend(&mut self, id: &str, name: &str, arguments: Option<Value>) {
        if self.id.is_empty() {
            id.clone_into(&mut self.id);
        }
        if self.name.is_empty() {
            name.clone_into(&mut self.name);
        }
        match arguments {
            Some(Value::Object(object)) => self.object = Some(object),
            // A finished call that is sent again is the same call.
            Some(Value::String(text)) if text == self.text && self.is_complete() => {}
            Some(Value::String(text)) => self.text.push_str(&text),
            Some(Value::Null) | None => {}
            Some(other) => self.text.push_str(&other.to_string()),
        }
    }

    fn is_complete(&self) -> bool {
        self.object.is_some() || serde_json::from_str::<Map<String, Value>>(&self.text).is_ok()
    }

    fn args(&self) -> Result<Map<String, Value>, String> {
        if let Some(object) = &self.object {
            return Ok(object.clone());
        }
        arguments::read(&self.text)
    }

    fn finish(self) -> Delta {
        let args = self.args();
        let call = |args| FunctionCall {
            id: CallId::new(self.id),
            name: self.name,
            args,
            signature: None,
        };
        match args {
            Ok(args) => Delta::Call(call(args)),
            Err(problem) => Delta::BrokenCall {
                call: call(Map::new()),
                problem,
            },
        }
    }
}
