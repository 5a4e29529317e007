//! Where a model is and how to get in.

use std::fmt;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{RequestBuilder, Url};
use serde_json::{Map, Value};

use crate::{ErrorKind, ModelError, ModelInfo};

/// How long a server may be silent before a reply is given up.
pub const DEFAULT_IDLE: Duration = Duration::from_mins(5);

/// Everything a protocol needs to know about a server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The names to show, and the model to ask for.
    pub info: ModelInfo,
    /// The server's address, up to what the protocol appends.
    pub base_url: String,
    /// The credential; local servers need none.
    pub key: Option<Key>,
    /// What to do where the server does not accept the credential, or the lack of one.
    pub key_hint: Option<String>,
    /// How long the server may be silent.
    pub idle: Duration,
    /// What goes in front of each of the user's messages to keep a model from thinking aloud.
    pub no_think: Option<String>,
    /// Headers to send besides those of the protocol.
    pub headers: HeaderMap,
    /// Fields to send in each request's body besides those of the protocol, or in their place.
    pub body: Map<String, Value>,
}

impl Endpoint {
    /// A server that wants nothing special.
    pub fn new(info: ModelInfo, base_url: impl Into<String>) -> Self {
        Self {
            info,
            base_url: base_url.into(),
            key: None,
            key_hint: None,
            idle: DEFAULT_IDLE,
            no_think: None,
            headers: HeaderMap::new(),
            body: Map::new(),
        }
    }

    /// The usual word for it. Later models of the family listen to `/no_think` instead.
    pub const NO_THINK: &str = "<no_think>";

    /// Adds a header whose value is never shown; false if it cannot be sent.
    #[must_use]
    pub fn add_header(&mut self, name: &str, value: &str) -> bool {
        let (Ok(name), Some(value)) = (HeaderName::try_from(name), secret(value)) else {
            return false;
        };
        self.headers.insert(name, value);
        true
    }

    /// Whether a model of this name listens to such a word.
    pub fn heeds_no_think(model: &str) -> bool {
        let name = model.to_lowercase();
        name.contains("qwen") || name.contains("qwq")
    }
}

/// A credential. It is never shown, whoever prints what holds it.
#[derive(Clone)]
pub struct Key {
    plain: HeaderValue,
    bearer: HeaderValue,
    is_token: bool,
}

impl Key {
    /// `None` if the text cannot be sent as a header: then it is no key either.
    pub fn new(text: &str) -> Option<Self> {
        Some(Self {
            plain: secret(text)?,
            bearer: secret(&format!("Bearer {text}"))?,
            // So begin the tokens of Google's accounts.
            is_token: text.starts_with("ya29."),
        })
    }

    /// The same as a token: it goes out as such, also where the protocol has a header for keys.
    #[must_use]
    pub fn as_token(mut self) -> Self {
        self.is_token = true;
        self
    }

    /// Puts it on a request of a protocol that has a header for keys.
    pub(crate) fn in_header(&self, name: &'static str, request: RequestBuilder) -> RequestBuilder {
        if self.is_token {
            return self.as_bearer(request);
        }
        request.header(name, self.plain.clone())
    }

    /// Puts it on a request of a protocol that knows only tokens.
    pub(crate) fn as_bearer(&self, request: RequestBuilder) -> RequestBuilder {
        request.header(AUTHORIZATION, self.bearer.clone())
    }
}

fn secret(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Endpoint {
    /// The address of `path` below the base URL. A query of the base stays behind that of `path`.
    pub(crate) fn url(&self, path: &str) -> Result<Url, ModelError> {
        self.join(path, "")
    }

    /// The same beside `v1`, if the base URL ends in it: `path` may say it itself, and some servers
    /// have interfaces of their own there.
    pub(crate) fn root_url(&self, path: &str) -> Result<Url, ModelError> {
        self.join(path, "/v1")
    }

    fn join(&self, path: &str, without: &str) -> Result<Url, ModelError> {
        let bad = |why: &str| {
            let message = format!("the base URL {why}");
            ModelError::new(ErrorKind::BadRequest, message)
        };
        if let Some(whole) = with_scheme(&self.base_url) {
            let base = &self.base_url;
            return Err(bad(&format!(
                "`{base}` lacks its beginning; did you mean `{whole}`?"
            )));
        }
        let mut url = Url::parse(&self.base_url)
            .map_err(|error| bad(&format!("`{}` is none: {error}", self.base_url)))?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || (url.cannot_be_a_base() && url.path().contains('@')) {
            return Err(bad("holds a password; keys are set with variables"));
        }
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad(&format!("`{url}` is neither http nor https")));
        }
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let base = base(url.path(), path);
        let base = base.strip_suffix(without).unwrap_or(base);
        url.set_path(&format!("{base}/{path}"));
        let queries = [query, url.query().unwrap_or_default()];
        let queries: Vec<&str> = queries
            .into_iter()
            .filter(|query| !query.is_empty())
            .collect();
        let query = queries.join("&");
        url.set_query((!query.is_empty()).then_some(query.as_str()));
        Ok(url)
    }
}

/// The path of a base URL. Some give the whole address of a request where the base is asked for,
/// be it `asked` or the one that they know.
fn base<'a>(given: &'a str, asked: &str) -> &'a str {
    let given = given.trim_end_matches('/');
    let known = ["chat/completions", "api/chat", "v1/messages"];
    let mut whole = std::iter::once(asked).chain(known);
    let base = whole.find_map(|path| given.strip_suffix(path)?.strip_suffix('/'));
    base.unwrap_or(given).trim_end_matches('/')
}

/// The address that was meant by one without `http://`. What has a port of its own is most likely
/// somebody's own server, without a certificate.
fn with_scheme(base: &str) -> Option<String> {
    if base.is_empty() || base.contains("://") || base.contains('@') {
        return None;
    }
    let host = base.split('/').next().unwrap_or_default();
    let plain = host.contains(':') || host == "localhost";
    let whole = format!("{}://{base}", if plain { "http" } else { "https" });
    Url::parse(&whole).is_ok().then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(base: &str) -> String {
        shown(&endpoint(base).url("chat/completions?alt=sse"))
    }

    fn root_url(base: &str) -> String {
        shown(&endpoint(base).root_url("api/chat"))
    }

    fn shown(url: &Result<Url, ModelError>) -> String {
        match url {
            Ok(url) => url.to_string(),
            Err(error) => error.message.clone(),
        }
    }

    fn endpoint(base: &str) -> Endpoint {
        let info = ModelInfo {
            provider: "p".into(),
            model: "m".into(),
        };
        let mut endpoint = Endpoint::new(info, base);
        endpoint.key = Key::new("secret");
        assert!(endpoint.add_header("x-token", "secret"));
        assert!(!endpoint.add_header("x token", ""));
        assert!(!format!("{endpoint:?}").contains("secret"));
        endpoint
    }

    #[test]
    fn the_path_goes_below_the_base() {
        let right = "http://h:1/v1/chat/completions?alt=sse";
        assert_eq!(url("http://h:1/v1"), right);
        assert_eq!(url("http://h:1/v1/"), right);
        assert_eq!(url("http://h:1/v1/chat/completions"), right);
        assert_eq!(url("https://h"), "https://h/chat/completions?alt=sse");
        assert_eq!(
            url("https://h/v1?version=2"),
            "https://h/v1/chat/completions?alt=sse&version=2"
        );
    }

    #[test]
    fn interfaces_of_a_servers_own_are_beside_the_protocol() {
        for base in [
            "http://h",
            "http://h/",
            "http://h/v1",
            "http://h/v1/chat/completions",
            "http://h/api/chat/",
        ] {
            assert_eq!(root_url(base), "http://h/api/chat", "{base}");
        }
        assert_eq!(root_url("http://h/x/v1?a=b"), "http://h/x/api/chat?a=b");
        assert_eq!(root_url("http://h/dev1"), "http://h/dev1/api/chat");
    }

    #[test]
    fn what_is_no_address_is_said() {
        assert_eq!(
            url("ftp://h/v1"),
            "the base URL `ftp://h/v1` is neither http nor https"
        );
        assert!(url("http://").starts_with("the base URL `http://` is none: "));
        assert_eq!(
            url("http://u:p@h"),
            "the base URL holds a password; keys are set with variables"
        );
    }

    #[test]
    fn an_address_without_its_beginning_gets_one() {
        for (base, meant) in [
            ("127.0.0.1:18191/v1", "http://127.0.0.1:18191/v1"),
            ("localhost:11434", "http://localhost:11434"),
            ("localhost/v1", "http://localhost/v1"),
            ("api.example.com/v1", "https://api.example.com/v1"),
        ] {
            let told =
                format!("the base URL `{base}` lacks its beginning; did you mean `{meant}`?");
            assert_eq!(url(base), told);
        }
        assert!(!url("user:hunter2@h/v1").contains("hunter2"));
    }

    #[test]
    fn a_key_that_cannot_be_sent_is_none() {
        assert!(Key::new("a\nb").is_none());
    }
}
