//! Reading a provider's JSON where strict reading would lose a whole reply.

use serde::de::DeserializeOwned;

use crate::{ErrorKind, ModelError};

/// Reads the JSON of one event; calls `each` once, or once a line where a server put several
/// documents into one event.
pub(crate) fn documents<T: DeserializeOwned>(
    data: &[u8],
    each: &mut impl FnMut(T) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    match document(data) {
        Ok(json) => each(json),
        Err(error) if !data.contains(&b'\n') => Err(malformed(data, &error)),
        Err(error) => {
            let lines = data
                .split(|byte| *byte == b'\n')
                .filter(|line| !line.is_empty());
            let read: Result<Vec<T>, _> = lines.map(document).collect();
            read.map_err(|_| malformed(data, &error))?
                .into_iter()
                .try_for_each(each)
        }
    }
}

/// Reads one document. A lone half of a surrogate pair becomes U+FFFD: models write them, and
/// they are no reason to lose the rest.
pub(crate) fn document<T: DeserializeOwned>(data: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(data).or_else(|error| match without_lone_surrogates(data) {
        Some(mended) => serde_json::from_slice(&mended),
        None => Err(error),
    })
}

fn malformed(data: &[u8], error: &serde_json::Error) -> ModelError {
    let start: String = String::from_utf8_lossy(data).chars().take(80).collect();
    let message = format!("the server sent an event that is no valid JSON ({error}): `{start}`");
    ModelError::new(ErrorKind::MalformedChunk, message)
}

/// `data` with every `\ud8xx` that has no partner replaced; `None` if there is none.
fn without_lone_surrogates(data: &[u8]) -> Option<Vec<u8>> {
    let mut mended = data.to_vec();
    let mut changed = false;
    let mut at = 0;
    while at < mended.len() {
        if mended[at] != b'\\' {
            at += 1;
            continue;
        }
        at += match (unit(&mended, at), unit(&mended, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                mended[at + 2..at + 6].copy_from_slice(b"fffd");
                changed = true;
                6
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
    }
    changed.then_some(mended)
}

/// The UTF-16 unit that an escape at `at` stands for.
fn unit(data: &[u8], at: usize) -> Option<u32> {
    let escape = data.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u32::from_str_radix(std::str::from_utf8(escape).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        let read = |text: &str| document::<String>(text.as_bytes()).unwrap();
        assert_eq!(read(r#""a\ud83db""#), "a\u{fffd}b");
        assert_eq!(
            read(r#""\ud83e\udd80 \udd80 \\ud83d""#),
            "🦀 \u{fffd} \\ud83d"
        );
        assert!(document::<String>(br#""open"#).is_err());
    }

    #[test]
    fn several_documents_in_one_event() {
        let mut found = Vec::new();
        documents::<u32>(b"1\n2\n\n3", &mut |n| {
            found.push(n);
            Ok(())
        })
        .unwrap();
        assert_eq!(found, [1, 2, 3]);
        let broken = documents::<u32>(b"1\nx", &mut |_| Ok(())).unwrap_err();
        assert_eq!(broken.kind, ErrorKind::MalformedChunk);
    }
}
