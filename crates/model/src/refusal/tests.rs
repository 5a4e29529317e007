//! What is made of error answers.

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
fn a_conversation_that_is_too_long_is_known_by_every_wording() {
    for error in [
        json!({"code": 400, "type": "exceed_context_size_error", "n_ctx": 4096,
               "message": "the request exceeds the available context size, try increasing it"}),
        json!({"code": 400, "type": "exceed_context_size_error", "message": "no room"}),
        json!({"type": "invalid_request_error",
               "message": "prompt is too long: 210000 tokens > 200000 maximum"}),
    ] {
        assert_eq!(refused(400, &error).kind, ErrorKind::ContextOverflow);
        assert_eq!(of_value(&error).kind, ErrorKind::ContextOverflow);
    }
}

#[test]
fn a_page_loses_its_tags() {
    let words = page(b"<html><h1>503</h1>\n<p>Service   unavailable</p></html>");
    assert_eq!(words.message.unwrap(), "503 Service unavailable");
    let says = |text: &str| page(text.as_bytes()).message.unwrap_or_default();
    assert_eq!(says("<td>a</td><td>b</td>"), "a b");
    assert_eq!(
        says("<STYLE>p { color: red }</style><script src=x>if (a</b>c) 1</SCRIPT>oh"),
        "oh"
    );
    assert_eq!(says("<style>never closed"), "");
    assert_eq!(says("<p"), "");
    let long = says(&"täg <br>".repeat(100));
    assert_eq!(long.chars().count(), 200);
    assert!(long.ends_with("täg…"), "{long}");
}

/// What is made of an error object that came with this status.
fn refused(status: u16, error: &Value) -> ModelError {
    let words = of_json(&json!({ "error": error }));
    let message = words.message.clone().unwrap_or_default();
    words.refusal(Some(status), message, None)
}

fn google(details: &Value) -> Value {
    let message = "You exceeded your current quota, please check your plan.";
    json!({"code": 429, "status": "RESOURCE_EXHAUSTED", "message": message, "details": details})
}

fn violated(id: &str) -> Value {
    let kind = "type.googleapis.com/google.rpc.QuotaFailure";
    json!({"@type": kind, "violations": [{"quotaId": id}]})
}

fn delay(delay: &str) -> Value {
    json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay})
}

const DAILY: &str = "GenerateRequestsPerDayPerProjectPerModel-FreeTier";
const MINUTELY: &str = "GenerateContentInputTokensPerModelPerMinute-FreeTier";

#[test]
fn what_is_gone_is_told_from_what_comes_back() {
    let reason = |reason: &str| google(&json!([{"reason": reason}]));
    let said = |message: &str| json!({ "message": message });
    let typed = |kind: &str| json!({"message": "m", "type": kind});
    for (status, error) in [
        (429, typed("insufficient_quota")),
        (
            400,
            json!({"message": "m", "code": "billing_hard_limit_reached"}),
        ),
        (402, said("Insufficient Balance")),
        (403, said("Key limit exceeded (total limit).")),
        (
            400,
            said("Your credit balance is too low to access the API."),
        ),
        (429, google(&json!([violated(DAILY), delay("37s")]))),
        (429, google(&json!([violated(MINUTELY), violated(DAILY)]))),
        (429, reason("QUOTA_EXHAUSTED")),
        (429, reason("INSUFFICIENT_G1_CREDITS_BALANCE")),
        (
            429,
            said("Quota exceeded for metric: requests, limit: 0, model: m"),
        ),
        (429, said("Rate limit exceeded: free-models-per-day.")),
    ] {
        let refusal = refused(status, &error);
        assert_eq!(refusal.kind, ErrorKind::QuotaExhausted, "{error}");
        assert!(
            refusal
                .message
                .starts_with("the quota or the credit is used up: "),
            "{}",
            refusal.message
        );
        let hint = refusal.hint.unwrap();
        assert!(
            hint.starts_with("wait until it is renewed, add credit, or use another model: "),
            "{hint}"
        );
    }
    for error in [
        google(&json!([delay("300s")])),
        google(&json!([violated(MINUTELY)])),
        reason("RATE_LIMIT_EXCEEDED"),
        said("tokens per day (TPD): Limit 100000. Please try again in 4m19.2s."),
        said("You exceeded your current quota"),
        said("requests, limit: 0.5"),
    ] {
        assert_eq!(refused(429, &error).kind, ErrorKind::RateLimited, "{error}");
    }
    let busy = said("insufficient balance between workers");
    assert_eq!(refused(500, &busy).kind, ErrorKind::ProviderError);
}

#[test]
fn the_wait_is_what_the_server_says_or_what_its_quota_takes() {
    let wait = |error: &Value| refused(429, error).retry_after.map(|wait| wait.as_millis());
    let minutely = google(&json!([violated(MINUTELY)]));
    assert_eq!(wait(&minutely), Some(60_000));
    let told = google(&json!([violated(MINUTELY), delay("7s")]));
    assert_eq!(wait(&told), Some(7000));
    assert_eq!(
        wait(&json!({"message": "Please try again in 350ms."})),
        Some(350)
    );
    assert_eq!(wait(&json!({"message": "slow down"})), None);
}

#[test]
fn what_comes_back_late_is_told_with_the_time() {
    let limit = json!({"message": "Slow down.", "code": "rate_limit_exceeded"});
    let words = of_json(&json!({ "error": limit }));
    let asked = Some(Duration::from_hours(1));
    let refusal = words.refusal(Some(429), "Slow down.".into(), asked);
    assert_eq!(refusal.kind, ErrorKind::QuotaExhausted);
    assert_eq!(refusal.message, "no more requests for 60 min: Slow down.");
    let hint = refusal.hint.unwrap();
    assert!(
        hint.starts_with("come back in 60 min, or use another model: "),
        "{hint}"
    );
    for (error, span) in [
        (json!({"message": "Please try again in 2h5m."}), "3 h"),
        (google(&json!([delay("301s")])), "6 min"),
    ] {
        let refusal = refused(429, &error);
        assert_eq!(refusal.kind, ErrorKind::QuotaExhausted);
        let start = format!("no more requests for {span}: ");
        assert!(refusal.message.starts_with(&start), "{}", refusal.message);
    }
}

#[test]
fn the_reason_is_not_said_twice() {
    let said =
        |words: Option<&str>| told(words.map(str::to_owned), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(
        said(Some("500 Internal Server Error")),
        "500 Internal Server Error (HTTP 500)"
    );
    assert_eq!(said(Some("oh")), "oh (HTTP 500 Internal Server Error)");
    assert_eq!(
        said(None),
        "the server answered HTTP 500 Internal Server Error"
    );
}

#[test]
fn a_model_that_is_not_there_is_said() {
    for (status, error) in [
        (
            404,
            json!({"message": "The model `m` does not exist", "code": "model_not_found"}),
        ),
        (
            404,
            json!({"message": "model: m", "type": "not_found_error"}),
        ),
        (
            404,
            json!({"message": "models/m is not found", "status": "NOT_FOUND"}),
        ),
        (
            404,
            json!({"message": "model \"m\" not found, try pulling it first", "type": "api_error"}),
        ),
        (404, json!("model 'm' not found")),
        (
            400,
            json!({"message": "m is not a valid model ID", "code": 400}),
        ),
    ] {
        let refusal = refused(status, &error);
        assert_eq!(refusal.kind, ErrorKind::BadRequest);
        let told = refusal.message;
        assert!(
            told.starts_with("the server does not have this model: "),
            "{told}"
        );
        assert!(refusal.hint.unwrap().contains("--model"));
    }
    // Nothing is there: the address is wrong, and quoted with the model's name.
    let words = page(b"<p>/v1/models/m was not found on this server");
    let refusal = words.refusal(Some(404), String::from("m"), None);
    assert_eq!((refusal.message.as_str(), refusal.hint), ("m", None));
}

#[test]
fn a_key_that_has_run_out_is_a_matter_of_credentials() {
    let details = json!([{"reason": "API_KEY_INVALID"}]);
    let error = json!({"message": "API key expired.", "code": 400, "details": details});
    assert_eq!(refused(400, &error).kind, ErrorKind::Auth);
}
