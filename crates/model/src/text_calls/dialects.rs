//! The ways in which models write calls.
//!
//! **A new dialect** is a file with a `read` and a line in [`OPENERS`]. `read` is called with the
//! cursor after the opener, reads on, and says what it was; it waits by itself where the text ends
//! for now. It leaves the cursor at the end of what it speaks for. These answers mean "no call":
//! [`Outcome::No`] where the opener was just words, so that what follows is read again as prose;
//! [`Outcome::Text`] where it was a call in all but name, or one that is broken, so that nothing in
//! it may be taken for a call ([`Outcome::Broken`] if it is not read to its end); and running out of text, after which the rest is text in any case.

mod bare;
mod channels;
mod deepseek;
mod documents;
mod function;
mod gemma;
mod glm;
mod invoke;
mod kimi;
mod mistral;
mod pythonic;
mod tool_call;

use std::pin::Pin;

use super::input::Input;
use super::shape::Call;

/// A literal that may open something.
pub(super) struct Opener {
    pub(super) text: &'static str,
    pub(super) place: Place,
    /// The least that must be read for it to count.
    pub(super) forms: Forms,
    pub(super) read: Read,
}

/// A dialect at work.
pub(super) type Reading<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// What is read; each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Forms {
    /// Think tags, and quotations in which they do not count.
    Thoughts,
    /// Calls behind a mark.
    Tagged,
    /// Fenced and bare calls.
    All,
}

/// Where an opener counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where nothing has been said yet.
    Start,
    /// Anywhere in prose.
    Prose,
    /// After a call, or in an answer with channels.
    End,
}

/// What an opener opened. The cursor is after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// Calls.
    Calls(Vec<Call>),
    /// Markup that says nothing.
    Nothing,
    /// The head of a channel whose words are for the person.
    Channel,
    /// Thoughts follow.
    Thought(Span),
    /// Thoughts end here, wherever they began.
    ThoughtEnd,
    /// Something follows that is shown and not meant.
    Quotation(Span),
    /// No call; and no part of it is one.
    Text,
    /// A broken call. Its inside goes on up to one of these marks; without them, to the end.
    Broken(&'static [&'static str]),
    /// No call; what follows the opener may be anything.
    No,
}

/// Up to where something goes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    /// It ends with one of these.
    pub(super) closers: &'static [&'static str],
    /// It ends before one of these.
    pub(super) before: &'static [&'static str],
}

/// What opens something. Where several fit, the longest does; of equals, the first.
pub(super) const OPENERS: &[Opener] = &[
    // Alone in the message.
    start("{", bare::alone),
    start("[", bare::list),
    // Anywhere.
    opener("{", Place::Prose, Forms::All, bare::inline),
    prose("<tool_call>", tool_call::read),
    prose("<function_call>", documents::function_call),
    prose("<TOOLCALL>", documents::nemotron),
    prose("<seed:tool_call>", function::in_seed),
    prose("<function=", function::bare),
    prose("[TOOL_CALLS]", mistral::read),
    prose("<|tool_call|>", documents::list),
    prose("functools[", documents::functools),
    prose("<|python_tag|>", pythonic::tag),
    prose("<|python_start|>", pythonic::block),
    prose("<|tool_call_start|>", pythonic::block),
    prose("<｜tool▁calls▁begin｜>", deepseek::section),
    prose("<｜tool_calls_begin｜>", deepseek::section),
    prose("<｜tool calls begin｜>", deepseek::section),
    prose("<｜tool▁call▁begin｜>", deepseek::single),
    prose("<｜DSML｜function_calls>", invoke::dsml),
    prose("<｜DSML｜tool_calls>", invoke::dsml_tool_calls),
    prose("<｜DSML｜invoke", invoke::dsml_bare),
    prose("<minimax:tool_call>", invoke::minimax),
    prose("<function_calls>", invoke::function_calls),
    prose("<invoke", invoke::bare),
    prose("<|tool_calls_section_begin|>", kimi::section),
    prose("<|tool_call_begin|>", kimi::single),
    prose("<start_function_call>", gemma::function_gemma),
    prose("<|tool_call>", gemma::gemma),
    prose("<|channel|>", channels::channel),
    prose("<|start|>", channels::start),
    // Thoughts.
    always("<think>", |_| thought(&["</think>"])),
    always("<thinking>", |_| thought(&["</thinking>"])),
    always("[THINK]", |_| thought(&["[/THINK]"])),
    always("<seed:think>", |_| thought(&["</seed:think>"])),
    always("</think>", |_| ready(Outcome::ThoughtEnd)),
    // Quotations.
    always("<!--", |_| quotation(&["-->"])),
    always("<blockquote>", |_| quotation(&["</blockquote>"])),
    always("<blockquote ", |_| quotation(&["</blockquote>"])),
    always("<pre>", |_| quotation(&["</pre>"])),
    always("<pre ", |_| quotation(&["</pre>"])),
    always("<code>", |_| quotation(&["</code>", "\n\n"])),
    always("<code ", |_| quotation(&["</code>", "\n\n"])),
    always("<tool_response>", |_| quotation(&["</tool_response>"])),
    always("<start_function_response>", |_| {
        quotation(&["<end_function_response>"])
    }),
    // Marks at which models stop, where servers let them through.
    end("<|eom_id|>"),
    end("<|eot_id|>"),
    end("<|eot|>"),
    end("<|im_end|>"),
    end("<|end_of_text|>"),
    end("<｜end▁of▁sentence｜>"),
    end("</s>"),
    end("<|end|>"),
    end("<|return|>"),
    end("<|call|>"),
    end("<end_of_turn>"),
];

/// The characters with which openers begin.
pub(super) const FIRST: &str = "<[{f";

/// The marks at which models stop; they close whatever is open.
pub(super) const STOPS: &[&str] = &[
    "<|eom_id|>",
    "<|eot_id|>",
    "<|eot|>",
    "<|im_end|>",
    "<|end_of_text|>",
    "<｜end▁of▁sentence｜>",
    "</s>",
];

/// The first mark in `text` that opens calls.
pub(super) fn mark_in(text: &str) -> Option<&'static str> {
    let marks = OPENERS
        .iter()
        .filter(|opener| opener.forms == Forms::Tagged && opener.place == Place::Prose)
        .map(|opener| opener.text);
    let found = marks.filter_map(|mark| Some((text.find(mark)?, mark)));
    found.min_by_key(|(at, _)| *at).map(|(_, mark)| mark)
}

/// The calls, if all of them are of tools that there are.
pub(super) fn known(text: &Input, mut calls: Vec<Call>) -> Outcome {
    let tools = text.tools();
    for call in &mut calls {
        if let Some(plain) = call.name.strip_prefix("functions.")
            && !tools.has(&call.name)
        {
            call.name = plain.to_owned();
        }
    }
    if !calls.is_empty() && calls.iter().all(|call| tools.has(&call.name)) {
        Outcome::Calls(calls)
    } else {
        Outcome::Text
    }
}

/// The name of a tool.
async fn name(text: &Input) -> Option<String> {
    let name = text
        .run(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .await;
    (!name.is_empty()).then_some(name)
}

type Read = for<'a> fn(&'a Input) -> Reading<'a>;

const fn opener(text: &'static str, place: Place, forms: Forms, read: Read) -> Opener {
    Opener {
        text,
        place,
        forms,
        read,
    }
}

const fn start(text: &'static str, read: Read) -> Opener {
    opener(text, Place::Start, Forms::All, read)
}

const fn prose(text: &'static str, read: Read) -> Opener {
    opener(text, Place::Prose, Forms::Tagged, read)
}

const fn always(text: &'static str, read: Read) -> Opener {
    opener(text, Place::Prose, Forms::Thoughts, read)
}

const fn end(text: &'static str) -> Opener {
    opener(text, Place::End, Forms::Tagged, |_| ready(Outcome::Nothing))
}

fn thought(closers: &'static [&'static str]) -> Reading<'static> {
    let before = &[];
    ready(Outcome::Thought(Span { closers, before }))
}

fn quotation(closers: &'static [&'static str]) -> Reading<'static> {
    let before = &[];
    ready(Outcome::Quotation(Span { closers, before }))
}

fn ready(outcome: Outcome) -> Reading<'static> {
    Box::pin(async move { outcome })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_opener_hides_another() {
        for (index, one) in OPENERS.iter().enumerate() {
            for other in &OPENERS[index + 1..] {
                let same = one.text == other.text && one.place == other.place;
                assert!(!same, "{} is there twice", one.text);
            }
            assert!(one.text.starts_with(|c| FIRST.contains(c)), "{}", one.text);
        }
    }

    #[test]
    fn whatever_stops_is_dropped_after_a_call() {
        for stop in STOPS {
            let mut ends = OPENERS.iter().filter(|opener| opener.place == Place::End);
            assert!(ends.any(|opener| opener.text == *stop), "{stop}");
        }
    }
}
