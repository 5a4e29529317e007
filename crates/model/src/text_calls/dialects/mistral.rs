//! Mistral: `[TOOL_CALLS] [{..}, ..]`, and newer `[TOOL_CALLS]NAME[ARGS]{..}` with and without the
//! inner mark.

use super::{Outcome, Reading, documents, known, name};
use crate::text_calls::input::Input;
use crate::text_calls::json;
use crate::text_calls::shape::Call;

pub(super) fn read(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let start = text.at();
        text.space().await;
        if matches!(text.peek().await, Some('{' | '[')) {
            text.back_to(start);
            return documents::open(text).await;
        }
        let Some(name) = name(text).await else {
            return Outcome::No;
        };
        if text.eat("[CALL_ID]").await {
            text.run(char::is_alphanumeric).await;
        }
        text.eat("[ARGS]").await;
        text.space().await;
        if text.peek().await != Some('{') {
            return Outcome::No;
        }
        if let Some(args) = json::object(text).await {
            known(text, vec![Call { name, args }])
        } else {
            Outcome::Broken(&[])
        }
    })
}
