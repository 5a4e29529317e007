//! `<tool_call>`: one tag, and four things that models put into it.
//!
//! Hermes and Qwen write JSON, Granite a list, Qwen3-Coder `<function=..>`, GLM a name and pairs.

use super::{Reading, documents, function, glm};
use crate::text_calls::input::Input;

pub(super) fn read(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let start = text.at();
        text.space().await;
        match text.peek().await {
            Some('{' | '[') => {
                text.back_to(start);
                documents::closed(text, "<tool_call>", &["</tool_call>"]).await
            }
            Some('<') => function::inside(text, &["</tool_call>"]).await,
            _ => glm::read(text).await,
        }
    })
}
