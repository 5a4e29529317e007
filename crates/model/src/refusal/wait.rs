//! How long a server asks to wait: in a header, in a field, or in words.

use std::time::Duration;

use reqwest::header::HeaderMap;

/// What the headers ask for.
pub(super) fn in_headers(headers: &HeaderMap) -> Option<Duration> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let ms = header("retry-after-ms").and_then(|ms| ms.trim().parse().ok());
    ms.map(Duration::from_millis)
        .or_else(|| seconds(header("retry-after")?))
        .or_else(|| until(header("retry-after")?, header("date")?))
}

/// What a sentence asks for: `Please try again in 4m19.2s.`
pub(super) fn in_words(message: &str) -> Option<Duration> {
    let lower = message.to_lowercase();
    let leads = ["retry in ", "try again in ", "retry after "];
    let (_, mut rest) = leads.iter().find_map(|lead| lower.split_once(lead))?;
    let mut sum = None;
    while let Some((amount, more)) = amount(rest) {
        sum = Some(sum.unwrap_or(0.0) + amount);
        rest = more;
    }
    Duration::try_from_secs_f64(sum?).ok()
}

/// A number with its unit, in seconds, and what follows it.
fn amount(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let (number, rest) = split_where(text, |c| !(c.is_ascii_digit() || c == '.'));
    let number: f64 = number.parse().ok()?;
    let (unit, rest) = split_where(rest.trim_start(), |c| !c.is_alphabetic());
    let unit = match unit {
        "ms" | "millisecond" | "milliseconds" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    };
    Some((number * unit, rest))
}

fn split_where(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// The time from one date to another, both by the server's clock: ours may be wrong.
fn until(then: &str, now: &str) -> Option<Duration> {
    let time = |text: &str| jiff::fmt::rfc2822::parse(text).ok();
    let wait = time(then)?.duration_since(&time(now)?);
    Duration::try_from(wait).ok()
}

/// `13s`, `1.5s` or `13`.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().trim_end_matches('s').parse().ok()?;
    Duration::try_from_secs_f64(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read() {
        assert_eq!(seconds("13s"), Some(Duration::from_secs(13)));
        assert_eq!(seconds("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(seconds("-1"), None);
        assert_eq!(seconds("soon"), None);
        let date = |second: u32| format!("Mon, 16 Nov 2026 03:25:{second:02} GMT");
        assert_eq!(until(&date(42), &date(2)), Some(Duration::from_secs(40)));
        assert_eq!(until(&date(2), &date(42)), None);
    }

    #[test]
    fn words_are_read() {
        for (words, ms) in [
            ("Please retry in 12.5s.", 12_500),
            ("Rate limit reached. Please try again in 350ms.", 350),
            ("Please try again in 4m19.2s. Visit", 259_200),
            ("please retry after 43 seconds.", 43_000),
            ("Try again in 2 hours", 7_200_000),
        ] {
            let wait = Some(Duration::from_millis(ms));
            assert_eq!(in_words(words), wait, "{words}");
        }
        for words in [
            "try again",
            "Try again in a while.",
            "retry in 5 turns",
            "retry in 1.2.3s",
        ] {
            assert_eq!(in_words(words), None, "{words}");
        }
    }
}
