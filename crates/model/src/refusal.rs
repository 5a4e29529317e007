//! Error answers of servers, in all their shapes, as one [`ModelError`].

use std::time::Duration;

use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::time::Instant;

use crate::{ErrorKind, ModelError};

/// More of an error page than this tells nothing new.
const MAX_BODY: usize = 64 * 1024;

/// Reads an answer whose status is not a success; what has not come by `deadline` is left out.
pub(crate) async fn read(mut response: Response, deadline: Instant) -> ModelError {
    let status = response.status();
    let after = retry_after(response.headers());
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
    let message = match elsewhere.or(words.message) {
        Some(message) => format!("{message} (HTTP {status})"),
        None => format!("the server answered HTTP {status}"),
    };
    let kind = kind(Some(status.as_u16()), &message);
    ModelError {
        kind,
        message,
        retry_after: after.or(words.retry_after),
        finish: None,
    }
}

/// Reads an error object that came inside a stream.
pub(crate) fn of_value(error: &Value) -> ModelError {
    let words = of_json(error);
    let message = words.message.unwrap_or_else(|| error.to_string());
    let kind = match kind(words.code, &message) {
        // Inside a stream there was nothing wrong with the request.
        ErrorKind::BadRequest => ErrorKind::ProviderError,
        kind => kind,
    };
    ModelError {
        kind,
        message,
        retry_after: words.retry_after,
        finish: None,
    }
}

/// Reads the payload of an `error` event, which may be plain words.
pub(crate) fn of_event(data: &[u8]) -> ModelError {
    match serde_json::from_slice::<Value>(data) {
        Ok(json) => of_value(&json),
        Err(_) => ModelError::new(ErrorKind::ProviderError, String::from_utf8_lossy(data)),
    }
}

#[derive(Default)]
struct Words {
    message: Option<String>,
    code: Option<u16>,
    retry_after: Option<Duration>,
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
    let code = ["code", "status", "type"].iter().find_map(|key| {
        let code = inner.get(key)?;
        let number = code.as_u64().and_then(|code| u16::try_from(code).ok());
        number.or_else(|| status_of(code.as_str()?))
    });
    let delay = inner
        .get("details")
        .and_then(Value::as_array)
        .and_then(|details| {
            details
                .iter()
                .find_map(|detail| seconds(detail.get("retryDelay")?.as_str()?))
        });
    Words {
        message: message.map(str::to_owned),
        code,
        retry_after: delay,
    }
}

/// The status that a provider's word for it stands for.
fn status_of(word: &str) -> Option<u16> {
    Some(match word {
        "authentication_error" | "UNAUTHENTICATED" | "invalid_api_key" => 401,
        "permission_error" | "PERMISSION_DENIED" => 403,
        "rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED" => 429,
        "overloaded_error" | "UNAVAILABLE" => 529,
        "invalid_request_error" | "INVALID_ARGUMENT" => 400,
        "context_length_exceeded" => 413,
        "api_error" | "server_error" | "INTERNAL" => 500,
        number => return number.parse().ok(),
    })
}

/// What a page says, without its tags.
fn page(body: &[u8]) -> Words {
    let text = String::from_utf8_lossy(body);
    let mut plain = String::new();
    let mut in_tag = false;
    for c in text.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            c if !in_tag => plain.push(c),
            _ => {}
        }
    }
    let words: Vec<&str> = plain.split_whitespace().take(40).collect();
    Words {
        message: (!words.is_empty()).then(|| words.join(" ")),
        ..Words::default()
    }
}

fn kind(code: Option<u16>, message: &str) -> ErrorKind {
    let lower = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match code {
        Some(401 | 403 | 407) => ErrorKind::Auth,
        Some(400) if says(&["api key not valid", "api_key_invalid"]) => ErrorKind::Auth,
        Some(429) => ErrorKind::RateLimited,
        Some(503 | 529) => ErrorKind::Overloaded,
        Some(408 | 499) => ErrorKind::ProviderError,
        Some(413) => ErrorKind::ContextOverflow,
        Some(400..=499)
            if says(&["context_length", "context length", "context window"])
                || says(&[
                    "maximum number of tokens",
                    "input token count",
                    "too many tokens",
                ]) =>
        {
            ErrorKind::ContextOverflow
        }
        // A redirection is as final as a refusal: it is not followed.
        Some(300..=499) => ErrorKind::BadRequest,
        _ => ErrorKind::ProviderError,
    }
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let ms = header("retry-after-ms").and_then(|ms| ms.trim().parse().ok());
    ms.map(Duration::from_millis)
        .or_else(|| seconds(header("retry-after")?))
        .or_else(|| until(header("retry-after")?, header("date")?))
}

/// The time from one date to another, both by the server's clock: ours may be wrong.
fn until(then: &str, now: &str) -> Option<Duration> {
    let time = |text: &str| jiff::fmt::rfc2822::parse(text).ok();
    let wait = time(then)?.duration_since(&time(now)?);
    Duration::try_from(wait).ok()
}

/// `13s`, `1.5s` or `13`.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().trim_end_matches('s').parse().ok()?;
    Duration::try_from_secs_f64(number).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_shape_gives_its_words() {
        for (shape, words) in [
            (json!({"error": {"message": "a", "code": 429}}), "a"),
            (json!([{"error": {"message": "b"}}]), "b"),
            (json!({"error": "c"}), "c"),
            (json!({"object": "error", "message": "d", "code": 500}), "d"),
            (json!({"detail": "e"}), "e"),
        ] {
            assert_eq!(of_value(&shape).message, words);
        }
    }

    #[test]
    fn the_code_decides_the_kind() {
        let kind = |code, message| of_value(&json!({"message": message, "code": code})).kind;
        assert_eq!(kind(401, ""), ErrorKind::Auth);
        assert_eq!(kind(429, ""), ErrorKind::RateLimited);
        assert_eq!(kind(503, ""), ErrorKind::Overloaded);
        assert_eq!(
            kind(400, "maximum context length is 8192"),
            ErrorKind::ContextOverflow
        );
        assert_eq!(kind(500, ""), ErrorKind::ProviderError);
    }

    #[test]
    fn a_page_loses_its_tags() {
        let words = page(b"<html><h1>503</h1>\n<p>Service   unavailable</p></html>");
        assert_eq!(words.message.unwrap(), "503 Service unavailable");
    }

    #[test]
    fn the_wait_is_read() {
        assert_eq!(seconds("13s"), Some(Duration::from_secs(13)));
        assert_eq!(seconds("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(seconds("-1"), None);
        assert_eq!(seconds("soon"), None);
        let date = |second: u32| format!("Mon, 16 Nov 2026 03:25:{second:02} GMT");
        assert_eq!(until(&date(42), &date(2)), Some(Duration::from_secs(40)));
        assert_eq!(until(&date(2), &date(42)), None);
    }
}
