//! GLM-4.5: `<tool_call>NAME`, then pairs of `<arg_key>` and `<arg_value>`.

use serde_json::Map;

use super::{Outcome, known, name};
use crate::text_calls::input::Input;
use crate::text_calls::param;
use crate::text_calls::shape::Call;

const CLOSER: &str = "</tool_call>";

/// Reads on after `<tool_call>` and white space.
pub(super) async fn read(text: &Input) -> Outcome {
    let Some(name) = name(text).await else {
        return Outcome::No;
    };
    let mut args = Map::new();
    loop {
        text.space().await;
        match text.eat_any(&["<arg_key>", CLOSER]).await {
            Some(0) => {
                let added = match pair(text).await {
                    Some((key, raw)) => {
                        let value = param::typed(&raw, &text.tools().types(&name, &key));
                        param::add(&mut args, key, value)
                    }
                    None => None,
                };
                if added.is_none() {
                    break;
                }
            }
            Some(_) => return known(text, vec![Call { name, args }]),
            None if args.is_empty() => return Outcome::No,
            None => break,
        }
    }
    text.until(&[CLOSER]).await;
    Outcome::Text
}

async fn pair(text: &Input) -> Option<(String, String)> {
    let (key, _) = text.until(&["</arg_key>"]).await?;
    text.space().await;
    if !text.eat("<arg_value>").await {
        return None;
    }
    let value = param::raw(text, "<arg_value>", "</arg_value>").await?;
    Some((key.trim().to_owned(), value))
}
