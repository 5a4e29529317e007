//! An address on the network: one spelling for what is shown, judged and asked for.

use reqwest::Url;

use super::Zone;

/// Longer ones carry something away rather than name something.
const LONGEST: usize = 4096;

/// Where something is to be fetched. Its spelling has no letters that look like others: names in
/// other scripts are in their ASCII form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    url: Url,
    host: String,
}

impl Address {
    /// Reads an address, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            let start: String = text.chars().take(60).collect();
            return Err(format!(
                "`{start}…` is longer than {LONGEST} characters, which no address should be"
            ));
        }
        if !text.contains("://") && Url::parse(&format!("https://{text}")).is_ok() {
            return Err(format!(
                "`{text}` lacks its beginning; did you mean `https://{text}`?"
            ));
        }
        let url = Url::parse(text).map_err(|error| format!("`{text}` is no address: {error}"))?;
        Self::of(url)
    }

    /// The same for what has been taken apart already.
    pub(crate) fn of(mut url: Url) -> Result<Self, String> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("`{url}` is neither http nor https"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            let host = url.host_str().unwrap_or_default();
            return Err(format!(
                "the address at `{host}` holds a user name or a password, which are not sent"
            ));
        }
        url.set_fragment(None);
        // The same host, which rules must not take for another.
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_end_matches('.').to_owned();
        if url.set_host(Some(&host)).is_err() {
            return Err(format!("`{url}` names no host"));
        }
        if Zone::of_host(&host) == Zone::Never {
            return Err(format!(
                "`{host}` is never fetched: addresses like this are for machines, which keep their \
                 credentials there"
            ));
        }
        Ok(Self { url, host })
    }

    /// All of it.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The same, taken apart.
    pub(crate) fn parts(&self) -> &Url {
        &self.url
    }

    /// Who is asked.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Where that is, by its name.
    pub fn zone(&self) -> Zone {
        Zone::of_host(&self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match Address::parse(text) {
            Ok(address) => format!("{} {} {:?}", address.host(), address.url(), address.zone()),
            Err(wrong) => wrong,
        }
    }

    #[test]
    fn one_spelling_for_every_address() {
        insta::assert_snapshot!(read("HTTPS://Docs.Example.ORG:443/a b?q=ü#part"), @"docs.example.org https://docs.example.org/a%20b?q=%C3%BC Public");
        // Not the company: Cyrillic letters.
        insta::assert_snapshot!(read("https://аррӏе.com/"), @"xn--80ak6aa92e.com https://xn--80ak6aa92e.com/ Public");
        insta::assert_snapshot!(read("http://example.org./"), @"example.org http://example.org/ Public");
        insta::assert_snapshot!(read("http://0x7f.1:8080/"), @"127.0.0.1 http://127.0.0.1:8080/ Private");
        insta::assert_snapshot!(read("http://2130706433."), @"127.0.0.1 http://127.0.0.1/ Private");
        insta::assert_snapshot!(read("http://[::FFFF:7F00:1]/"), @"[::ffff:7f00:1] http://[::ffff:7f00:1]/ Private");
    }

    #[test]
    fn what_is_no_address_to_fetch_is_said() {
        insta::assert_snapshot!(read("example.org/a"), @"`example.org/a` lacks its beginning; did you mean `https://example.org/a`?");
        insta::assert_snapshot!(read("file:///etc/passwd"), @"`file:///etc/passwd` is neither http nor https");
        insta::assert_snapshot!(read("https://me:secret@example.org/"), @"the address at `example.org` holds a user name or a password, which are not sent");
        insta::assert_snapshot!(read("https://example.com@evil.test/"), @"the address at `evil.test` holds a user name or a password, which are not sent");
        insta::assert_snapshot!(read("http://"), @"`http://` is no address: empty host");
        insta::assert_snapshot!(read("http://169.254.169.254/latest"), @"`169.254.169.254` is never fetched: addresses like this are for machines, which keep their credentials there");
        insta::assert_snapshot!(read("http://./"), @"`http://./` names no host");
        assert!(read(&format!("http://a.b/{}", "x".repeat(5000))).contains("longer than 4096"));
    }
}
