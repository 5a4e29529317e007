//! Request bodies that grow with the conversation.
//!
//! Each request repeats all that was said before. What was written down for the last request is
//! not written again: only the messages that are new to it cost anything.
//!
//! **Invariant:** a body is the same, byte for byte, as if it had been written from nothing.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{BufMut, Bytes, BytesMut};
use pollux_types::{Message, Role};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::Request;

/// How a protocol writes a conversation down, from the first byte to the last.
pub(crate) trait Format {
    /// Everything in front of the first message.
    fn head(&self, request: &Request<'_>) -> BytesMut;

    /// Appends one message. What is left open for the next one is closed by it, or by the tail.
    /// `last` is who spoke last, if anybody has; it returns the same for the next message.
    fn message(&self, message: &Message, last: Option<Role>, out: &mut BytesMut) -> Option<Role>;

    /// Closes what is open.
    fn tail(&self, last: Option<Role>, out: &mut BytesMut);
}

/// The body of the last request, to write the next one from.
#[derive(Default)]
pub(crate) struct Body(Mutex<Option<Written>>);

impl Body {
    /// The body of `request`.
    pub(crate) fn of(&self, format: &impl Format, request: &Request<'_>) -> Bytes {
        let head = format.head(request);
        // Whoever comes while it is away writes from nothing.
        let last = self.lock().take();
        let same =
            |written: &Written| written.head == head.len() && written.body.starts_with(&head);
        let mut written = last.filter(same).unwrap_or_default();
        written.head = head.len();
        let mut out = written.up_to_what_is_new(&head, request);
        for message in &request.messages[written.marks.len()..] {
            let last = format.message(message, written.last(), &mut out);
            written.marks.push(Mark {
                message: Arc::clone(message),
                end: out.len(),
                last,
            });
        }
        format.tail(written.last(), &mut out);
        written.body = out.freeze();
        let body = written.body.clone();
        *self.lock() = Some(written);
        body
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Written>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body")
    }
}

#[derive(Default)]
struct Written {
    body: Bytes,
    /// How much of it comes before the first message.
    head: usize,
    marks: Vec<Mark>,
}

/// A message that stands in the body.
struct Mark {
    message: Arc<Message>,
    /// Where it ends.
    end: usize,
    /// Who spoke last, up to here.
    last: Option<Role>,
}

impl Written {
    fn last(&self) -> Option<Role> {
        self.marks.last().and_then(|mark| mark.last)
    }

    /// The bytes that this request shares with the last one. A message that stands there is known
    /// by its address: it cannot have changed while a mark holds it.
    fn up_to_what_is_new(&mut self, head: &[u8], request: &Request<'_>) -> BytesMut {
        let both = self.marks.iter().zip(&request.messages);
        let same = both
            .take_while(|(mark, message)| Arc::ptr_eq(&mark.message, message))
            .count();
        self.marks.truncate(same);
        let Some(mark) = self.marks.last() else {
            return BytesMut::from(head);
        };
        // The last request is long over, and nobody else holds its body.
        let body = std::mem::take(&mut self.body).try_into_mut();
        let mut out = body.unwrap_or_else(|shared| BytesMut::from(&shared[..]));
        out.truncate(mark.end);
        out
    }
}

/// Appends `value` as JSON.
pub(crate) fn put_json(value: &impl Serialize, out: &mut BytesMut) {
    serde_json::to_writer(out.writer(), value).expect("strings and JSON values always serialise");
}

/// An object that goes on with the list `field`, which is left open. `more` comes into it too, in
/// place of what is there.
pub(crate) fn object_up_to(
    object: &impl Serialize,
    more: &Map<String, Value>,
    field: &str,
) -> BytesMut {
    let mut out = BytesMut::new();
    if more.is_empty() {
        put_json(object, &mut out);
    } else {
        let mut object = json!(object);
        more.iter()
            .for_each(|(name, value)| lay_over(&mut object[name], value));
        put_json(&object, &mut out);
    }
    out.truncate(out.len() - 1);
    if !out.ends_with(b"{") {
        out.put_u8(b',');
    }
    out.put_slice(format!("\"{field}\":[").as_bytes());
    out
}

/// Objects are laid over each other field by field.
fn lay_over(under: &mut Value, over: &Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (name, value) in over {
                lay_over(under.entry(name).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over.clone(),
    }
}
