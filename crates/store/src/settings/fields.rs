//! Values that are of the right sort and cannot be meant all the same.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A number that makes no sense as 0.
pub(super) fn above_zero<'de, D, N>(input: D) -> Result<Option<N>, D::Error>
where
    D: Deserializer<'de>,
    N: Deserialize<'de> + Default + PartialEq,
{
    let number = N::deserialize(input)?;
    if number == N::default() {
        return Err(D::Error::custom(
            "expected 1 or more; leave it out for the usual number",
        ));
    }
    Ok(Some(number))
}

/// The name of a variable. A key in its place is not repeated to anybody.
pub(super) fn variable<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(input)?;
    if is_variable(&name) {
        return Ok(Some(name));
    }
    Err(D::Error::custom(
        "that is no name of a variable; put the key into one, such as LAB_KEY, and its name here",
    ))
}

/// Whether a shell would take it, and it does not look like a key.
pub(super) fn is_variable(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = name.chars().all(fits) && !name.starts_with(|c: char| c.is_ascii_digit());
    let has = |sort: fn(&char) -> bool| name.chars().any(|c| sort(&c));
    let is_random = name.len() >= 24 && has(char::is_ascii_lowercase) && has(char::is_ascii_digit);
    is_name && !name.is_empty() && !is_random
}

#[cfg(test)]
mod tests {
    use super::is_variable;

    #[test]
    fn keys_are_no_names() {
        for name in [
            "LAB_KEY",
            "my_key",
            "_k2",
            "TEAM_BLUE_OPENAI_COMPATIBLE_API_KEY_2",
        ] {
            assert!(is_variable(name), "{name}");
        }
        for key in [
            "",
            "sk-abc",
            "my-key",
            "2nd",
            "gsk_x8Jq2mVb7Kp4Lr9Tn3Ws6Yd",
            "$LAB_KEY",
        ] {
            assert!(!is_variable(key), "{key}");
        }
    }
}
