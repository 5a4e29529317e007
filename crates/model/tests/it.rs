//! Every protocol over real HTTP.

#![allow(clippy::unwrap_used, reason = "in a test the panic is the report")]

mod it {
    mod anthropic;
    mod both;
    mod catalogue;
    mod failures;
    mod gemini;
    mod growing;
    mod ollama;
    mod openai;
    mod profiles;
    mod quirks;
    mod support;
    mod text_calls;
    mod text_tools;
}
