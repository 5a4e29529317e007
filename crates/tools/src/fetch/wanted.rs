//! Which addresses a call is about.

use reqwest::Url;

use crate::net::Address;

/// How many one call may ask for.
const MOST: usize = 20;

/// What a call asks for, or what is wrong with it. Where both are given, `url` counts: the rest says
/// what it is for.
pub(super) fn addresses(url: Option<&str>, prompt: Option<&str>) -> Result<Vec<Address>, String> {
    let given = |text: &&str| !text.trim().is_empty();
    let (name, found) = match (url.filter(given), prompt.filter(given)) {
        (Some(url), _) => ("url", vec![url.trim()]),
        (None, Some(prompt)) => ("prompt", addresses_in(prompt)),
        (None, None) => return Err("`url` is missing".to_owned()),
    };
    let mut addresses = Vec::new();
    for text in found {
        let address = Address::parse(text).and_then(raw);
        let address = address.map_err(|wrong| format!("`{name}`: {wrong}"))?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    match addresses.len() {
        0 => Err(format!("`{name}` holds no http or https address")),
        1..=MOST => Ok(addresses),
        many => Err(format!("`{name}` holds {many} addresses; {MOST} at most")),
    }
}

/// The addresses in a text, without what is put around them.
fn addresses_in(text: &str) -> Vec<&str> {
    let begins = |word: &str| {
        ["https://", "http://"]
            .iter()
            .filter_map(|s| word.find(s))
            .min()
    };
    let words = text.split(|c: char| c.is_whitespace() || "<>\"`".contains(c));
    let found = words.filter_map(|word| Some(&word[begins(word)?..]));
    found.map(without_marks).collect()
}

/// An address without the marks of the sentence it stands in.
fn without_marks(mut word: &str) -> &str {
    loop {
        let is_mark = |c: char| match c {
            ')' => word.matches(')').count() > word.matches('(').count(),
            ']' => word.matches(']').count() > word.matches('[').count(),
            c => ".,;:!?'*_}".contains(c),
        };
        match word.strip_suffix(is_mark) {
            Some(shorter) => word = shorter,
            None => return word,
        }
    }
}

/// The file itself, where the address is that of a page about it.
fn raw(address: Address) -> Result<Address, String> {
    if address.host() != "github.com" {
        return Ok(address);
    }
    let path = address.parts().path().trim_start_matches('/');
    let parts: Vec<&str> = path.splitn(4, '/').collect();
    let [owner, repository, "blob", file] = parts[..] else {
        return Ok(address);
    };
    let raw = format!("https://raw.githubusercontent.com/{owner}/{repository}/{file}");
    Address::of(Url::parse(&raw).map_err(|error| error.to_string())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: Option<&str>, prompt: Option<&str>) -> String {
        match addresses(url, prompt) {
            Ok(found) => {
                let urls: Vec<&str> = found.iter().map(Address::url).collect();
                urls.join(" ")
            }
            Err(wrong) => wrong,
        }
    }

    #[test]
    fn addresses_are_found_in_text() {
        let text = "See (https://a.test/x), <http://b.test> and [it](https://c.test/y_(z)), or \
                    \"https://d.test/?q=1\"; again https://a.test/x. Not ftp://e.test.";
        assert_eq!(
            read(None, Some(text)),
            "https://a.test/x http://b.test/ https://c.test/y_(z) https://d.test/?q=1"
        );
        assert_eq!(
            read(
                Some(" https://a.test/ "),
                Some("what is at https://b.test?")
            ),
            "https://a.test/"
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(read(None, Some(" ")), "`url` is missing");
        let none = "`prompt` holds no http or https address";
        assert_eq!(read(None, Some("a.test")), none);
        let many: Vec<String> = (0..21).map(|n| format!("http://a.test/{n}")).collect();
        let wrong = "`prompt` holds 21 addresses; 20 at most";
        assert_eq!(read(None, Some(&many.join(" "))), wrong);
        let wrong = read(None, Some("http://a.test/ and http://169.254.169.254/"));
        assert!(wrong.starts_with("`prompt`: `169.254.169.254` is never fetched"));
    }

    #[test]
    fn pages_about_files_become_the_files() {
        assert_eq!(
            read(
                Some("https://github.com/o/r/blob/main/src/a%20b.rs?x#L3"),
                None
            ),
            "https://raw.githubusercontent.com/o/r/main/src/a%20b.rs"
        );
        for same in [
            "https://github.com/o/r/tree/main/src",
            "https://github.com/o/r",
            "https://example.org/o/r/blob/main/a",
        ] {
            assert_eq!(read(Some(same), None), same);
        }
    }
}
