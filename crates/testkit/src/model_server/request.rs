//! A request as it came, and reading one from bytes.

use std::fmt;

use httparse::Status;
use serde_json::Value;

/// A request that the server got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// `GET`, `POST`, ...
    pub method: String,
    /// The path with the query, as sent.
    pub path: String,
    /// The headers in the order in which they came, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, with any transfer encoding taken off.
    pub body: Vec<u8>,
    /// Which connection it came on, counted from 0 in the order of connecting. Requests with the
    /// same number shared a connection.
    pub connection: usize,
}

impl Recorded {
    /// The body as JSON; panics if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{self} has no JSON body: {error}"))
    }

    /// The body as text; panics if it is none.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a body in UTF-8")
    }

    /// The value of the first header of this name, given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Reads a request from the start of `bytes` and tells how long it is there; `None` if it is
    /// not complete yet.
    pub(super) fn parse(
        bytes: &[u8],
        connection: usize,
    ) -> Result<Option<(Self, usize)>, httparse::Error> {
        let mut slots = [httparse::EMPTY_HEADER; 64];
        let mut head = httparse::Request::new(&mut slots);
        let Status::Complete(start) = head.parse(bytes)? else {
            return Ok(None);
        };
        let mut request = Self {
            method: head.method.unwrap_or_default().into(),
            path: head.path.unwrap_or_default().into(),
            headers: head.headers.iter().map(owned).collect(),
            body: Vec::new(),
            connection,
        };
        let Some((body, length)) = request.read_body(&bytes[start..])? else {
            return Ok(None);
        };
        request.body = body;
        Ok(Some((request, start + length)))
    }

    /// The body at the start of `bytes` and its length there.
    fn read_body(&self, bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>, httparse::Error> {
        if self.header("transfer-encoding").is_some() {
            return dechunk(bytes);
        }
        let length = match self.header("content-length") {
            Some(length) => length.parse().map_err(|_| httparse::Error::HeaderValue)?,
            None => 0,
        };
        Ok(bytes.get(..length).map(|body| (body.to_vec(), length)))
    }
}

/// One line, for messages.
impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, path, .. } = self;
        let (length, connection) = (self.body.len(), self.connection);
        write!(
            f,
            "{method} {path} ({length} bytes, connection {connection})"
        )
    }
}

fn owned(header: &httparse::Header<'_>) -> (String, String) {
    let value = String::from_utf8_lossy(header.value).into_owned();
    (header.name.to_lowercase(), value)
}

/// Takes the chunked encoding off. Trailers are not supported: no client of ours sends any.
fn dechunk(bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>, httparse::Error> {
    let mut body = Vec::new();
    let mut at = 0;
    loop {
        let size = httparse::parse_chunk_size(&bytes[at..]);
        let Status::Complete((head, size)) = size.map_err(|_| httparse::Error::Token)? else {
            return Ok(None);
        };
        let start = at + head;
        let end = start + usize::try_from(size).map_err(|_| httparse::Error::Token)?;
        let (Some(chunk), Some(line_end)) = (bytes.get(start..end), bytes.get(end..end + 2)) else {
            return Ok(None);
        };
        if line_end != b"\r\n" {
            return Err(httparse::Error::NewLine);
        }
        body.extend_from_slice(chunk);
        at = end + 2;
        if size == 0 {
            return Ok(Some((body, at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Option<(Recorded, usize)> {
        Recorded::parse(bytes, 7).unwrap()
    }

    #[test]
    fn a_request_is_complete_only_with_its_last_byte() {
        for request in [
            &b"GET /v1/models?key=k HTTP/1.1\r\nHost: h\r\n\r\n"[..],
            b"POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
            b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
        ] {
            for cut in 0..request.len() {
                assert_eq!(parse(&request[..cut]), None);
            }
            let (_, length) = parse(&[request, b"GET /next"].concat()).unwrap();
            assert_eq!(length, request.len());
        }
    }

    #[test]
    fn everything_is_recorded() {
        let (request, _) = parse(
            b"POST /a?b=c HTTP/1.1\r\nX-Goog-Api-Key: k\r\ncontent-length: 7\r\n\r\n{\"a\":1}",
        )
        .unwrap();
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("POST", "/a?b=c")
        );
        assert_eq!(request.header("x-goog-api-key"), Some("k"));
        assert_eq!(request.header("authorization"), None);
        assert_eq!(request.json(), serde_json::json!({"a": 1}));
        assert_eq!(request.text(), r#"{"a":1}"#);
        assert_eq!(request.to_string(), "POST /a?b=c (7 bytes, connection 7)");
    }

    #[test]
    fn nonsense_is_an_error() {
        for nonsense in [
            &b"\0\0\0\r\n\r\n"[..],
            b"POST / HTTP/1.1\r\ncontent-length: many\r\n\r\n",
            b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
            b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc",
        ] {
            assert!(Recorded::parse(nonsense, 0).is_err());
        }
    }
}
