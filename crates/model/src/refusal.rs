//! Error answers of servers, in all their shapes, as one [`ModelError`].

mod quota;
mod wait;

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::Instant;

use crate::{ErrorKind, ModelError};

/// More of an error page than this tells nothing new.
const MAX_BODY: usize = 64 * 1024;

/// How servers say that a conversation is longer than the model can read.
const TOO_LONG: [&str; 8] = [
    "context_length",
    "context length",
    "context window",
    "available context size",
    "maximum number of tokens",
    "input token count",
    "too many tokens",
    "prompt is too long",
];
/// How many characters of a page are told.
const LONGEST_PAGE: usize = 200;

/// What servers call native tools, in lower case.
const TOOLS: [&str; 2] = ["tool", "function call"];

/// How they say that they do not take them. The flags are those of llama.cpp and vLLM.
const NOT_TAKEN: [&str; 8] = [
    "not support",
    "n't support",
    "unsupported",
    "not enabled",
    "not available",
    "no endpoints found that support",
    "requires --jinja",
    "--enable-auto-tool-choice",
];

/// Reads an answer whose status is not a success; what has not come by `deadline` is left out.
pub(crate) async fn read(mut response: Response, deadline: Instant) -> ModelError {
    let status = response.status();
    let asked = wait::in_headers(response.headers());
    let location = response
        .headers()
        .get("location")
        .and_then(|value| value.to_str().ok());
    let elsewhere =
        location.map(|location| format!("it points to {location}, which is not followed"));
    let mut body = Vec::new();
    let reading = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BODY {
                break;
            }
        }
    };
    tokio::time::timeout_at(deadline, reading).await.ok();
    let words = serde_json::from_slice(&body).map_or_else(|_| page(&body), |json| of_json(&json));
    let message = told(elsewhere.or_else(|| words.message.clone()), status);
    let refusal = words.refusal(Some(status.as_u16()), message, asked);
    let no_place = matches!(
        status,
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED
    );
    if !no_place || refusal.hint.is_some() {
        return refusal;
    }
    // There may be a secret behind the question mark.
    let mut url = response.url().clone();
    url.set_query(None);
    ModelError {
        message: format!("nothing answers at {url}: {}", refusal.message),
        hint: Some("check the base URL; that of most servers ends in `/v1`".to_owned()),
        ..refusal
    }
}

/// The server's words with the status, which says the same in some words of its own.
fn told(words: Option<String>, status: StatusCode) -> String {
    let reason = status.canonical_reason().unwrap_or_default();
    match words {
        Some(words) if words.contains(reason) => format!("{words} (HTTP {})", status.as_u16()),
        Some(words) => format!("{words} (HTTP {status})"),
        None => format!("the server answered HTTP {status}"),
    }
}

/// Reads an error object that came inside a stream.
pub(crate) fn of_value(error: &Value) -> ModelError {
    let words = of_json(error);
    let message = words.message.clone().unwrap_or_else(|| error.to_string());
    let mut refusal = words.refusal(words.code, message, None);
    if refusal.kind == ErrorKind::BadRequest {
        // Inside a stream there was nothing wrong with the request.
        refusal.kind = ErrorKind::ProviderError;
    }
    refusal
}

/// Reads the payload of an `error` event, which may be plain words.
pub(crate) fn of_event(data: &[u8]) -> ModelError {
    match serde_json::from_slice::<Value>(data) {
        Ok(json) => of_value(&json),
        Err(_) => ModelError::new(ErrorKind::ProviderError, String::from_utf8_lossy(data)),
    }
}

/// What a server says of a failure.
#[derive(Debug, Default)]
struct Words {
    message: Option<String>,
    code: Option<u16>,
    /// Its own names for what happened: codes, types, reasons, ids of quotas.
    marks: Vec<String>,
    wait: Option<Duration>,
    /// They come from a page, which may be anybody's.
    from_page: bool,
}

impl Words {
    fn lower(&self) -> String {
        self.message.as_deref().unwrap_or_default().to_lowercase()
    }

    fn marks_say(&self, parts: &[&str]) -> bool {
        let says = |mark: &String| parts.iter().any(|part| mark.contains(part));
        self.marks.iter().any(says)
    }

    /// The error that these words stand for; `message` is how to tell it, `asked` what a header
    /// asks to wait.
    fn refusal(&self, code: Option<u16>, message: String, asked: Option<Duration>) -> ModelError {
        let said = || wait::in_words(self.message.as_deref()?);
        let asked = asked.or(self.wait).or_else(said);
        if let Some(gone) = quota::gone(code, self, asked) {
            return ModelError {
                retry_after: asked,
                hint: Some(gone.hint()),
                ..ModelError::new(ErrorKind::QuotaExhausted, gone.told(&message))
            };
        }
        if self.refuse_tools(code) {
            let hint = "`--tool-calls text`, or the provider's setting `tool_calls`, tells the \
                        model about its tools in words";
            return ModelError {
                hint: Some(hint.to_owned()),
                ..ModelError::new(ErrorKind::NoTools, message)
            };
        }
        if self.miss_the_model(code) {
            let hint = "check the model's name; `--model` and the setting `model` set it";
            return ModelError {
                hint: Some(hint.to_owned()),
                ..ModelError::new(
                    ErrorKind::BadRequest,
                    format!("the server does not have this model: {message}"),
                )
            };
        }
        ModelError {
            retry_after: asked.or_else(|| quota::usual_wait(self)),
            hint: (code == Some(StatusCode::PROXY_AUTHENTICATION_REQUIRED.as_u16()))
                .then(|| "the proxy wants a name and a password: put them into HTTPS_PROXY".into()),
            ..ModelError::new(self.kind(code), message)
        }
    }

    /// Whether it is the native tools that the server or its model does not take.
    fn refuse_tools(&self, code: Option<u16>) -> bool {
        let lower = self.lower();
        !matches!(code, Some(401 | 403 | 407 | 429))
            && TOOLS.iter().any(|tools| lower.contains(tools))
            && NOT_TAKEN.iter().any(|not| lower.contains(not))
    }

    /// Whether there is no such model. Pages are not asked: they quote the address, which may be
    /// the very thing that is wrong.
    fn miss_the_model(&self, code: Option<u16>) -> bool {
        let lower = self.lower();
        let spoken_of = !self.from_page && lower.contains("model");
        self.marks_say(&["model_not_found"])
            || (code == Some(404) && spoken_of)
            || (code == Some(400) && lower.contains("is not a valid model"))
    }

    fn kind(&self, code: Option<u16>) -> ErrorKind {
        let lower = self.lower();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        match code {
            Some(401 | 403 | 407) => ErrorKind::Auth,
            Some(400) if says(&["api key not valid"]) || self.marks_say(&["API_KEY_INVALID"]) => {
                ErrorKind::Auth
            }
            Some(429) => ErrorKind::RateLimited,
            Some(503 | 529) => ErrorKind::Overloaded,
            Some(408 | 499) => ErrorKind::ProviderError,
            Some(413) => ErrorKind::ContextOverflow,
            Some(400..=499) if says(&TOO_LONG) || self.marks_say(&["exceed_context_size"]) => {
                ErrorKind::ContextOverflow
            }
            // A redirection is as final as a refusal: it is not followed.
            Some(300..=499) => ErrorKind::BadRequest,
            _ => ErrorKind::ProviderError,
        }
    }
}

/// `{"error": {"message", "code", "details"}}`, the same in an array, `{"error": "words"}`,
/// `{"message"}` and `{"detail"}`.
fn of_json(json: &Value) -> Words {
    let outer = json.get(0).unwrap_or(json);
    let inner = outer.get("error").unwrap_or(outer);
    let message = inner.as_str().or_else(|| {
        ["message", "detail"]
            .iter()
            .find_map(|key| inner.get(key).and_then(Value::as_str))
    });
    let codes = ["code", "status", "type"].map(|key| inner.get(key));
    let code = codes.into_iter().flatten().find_map(|code| {
        let number = code.as_u64().and_then(|code| u16::try_from(code).ok());
        number.or_else(|| status_of(code.as_str()?))
    });
    let details = inner.get("details").and_then(Value::as_array);
    let details = details.into_iter().flatten();
    let marks = codes.into_iter().flatten().filter_map(Value::as_str);
    Words {
        message: message.map(str::to_owned),
        code,
        marks: marks
            .chain(details.clone().flat_map(marks_of))
            .map(str::to_owned)
            .collect(),
        wait: details
            .filter_map(|detail| detail.get("retryDelay")?.as_str())
            .find_map(wait::seconds),
        from_page: false,
    }
}

/// What one of Google's details names: the reason, and the quotas that are used up.
fn marks_of(detail: &Value) -> impl Iterator<Item = &str> {
    let violations = detail.get("violations").and_then(Value::as_array);
    let ids = violations
        .into_iter()
        .flatten()
        .map(|one| one.get("quotaId"));
    let limit = detail.get("metadata").and_then(|of| of.get("quota_limit"));
    [detail.get("reason"), limit]
        .into_iter()
        .chain(ids)
        .flatten()
        .filter_map(Value::as_str)
}

/// The status that a provider's word for it stands for.
fn status_of(word: &str) -> Option<u16> {
    Some(match word {
        "authentication_error" | "UNAUTHENTICATED" | "invalid_api_key" => 401,
        "billing_error" => 402,
        "permission_error" | "PERMISSION_DENIED" => 403,
        "not_found_error" | "NOT_FOUND" | "model_not_found" => 404,
        "rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED" => 429,
        "overloaded_error" | "UNAVAILABLE" => 529,
        "invalid_request_error" | "INVALID_ARGUMENT" => 400,
        "context_length_exceeded" => 413,
        "api_error" | "server_error" | "INTERNAL" => 500,
        number => return number.parse().ok(),
    })
}

/// What a page says, without its tags: as much as fits into two lines.
fn page(body: &[u8]) -> Words {
    let text = String::from_utf8_lossy(body);
    let mut plain = String::new();
    let mut rest = text.as_ref();
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        plain.push(' ');
        rest = after_tag(tag);
    }
    plain.push_str(rest);
    let words: Vec<&str> = plain.split_whitespace().collect();
    let words = words.join(" ");
    let message = match words.char_indices().nth(LONGEST_PAGE) {
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
        None => words,
    };
    Words {
        message: (!message.is_empty()).then_some(message),
        from_page: true,
        ..Words::default()
    }
}

/// What follows a tag that has just been opened. Styles and scripts say nothing to anybody.
fn after_tag(tag: &str) -> &str {
    let is = |name: &str| {
        let start = tag.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    let end = ["style", "script"].into_iter().find(|name| is(name));
    let rest = match end {
        Some(name) => {
            let ends = |at: &usize| {
                tag[*at..]
                    .get(2..2 + name.len())
                    .is_some_and(|found| found.eq_ignore_ascii_case(name))
            };
            let at = tag.match_indices("</").map(|(at, _)| at).find(ends);
            at.map_or("", |at| &tag[at..])
        }
        None => tag,
    };
    rest.split_once('>').map_or("", |(_, rest)| rest)
}

#[cfg(test)]
mod tests;
