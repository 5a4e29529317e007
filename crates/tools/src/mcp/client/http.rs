//! The way to a server at an address: as `rmcp` has it, but with an end to what a server may say.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream, Stream};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Client, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

/// Bytes of one answer, whatever way it comes.
const MOST_BYTES: usize = 16 * 1024 * 1024;

const SESSION: &str = "mcp-session-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// A client that reads no more of an answer than anybody needs.
#[derive(Clone)]
pub(super) struct Bounded(pub(super) Client);

type Answer = StreamableHttpPostResponse;
type Failed = StreamableHttpError<reqwest::Error>;

impl StreamableHttpClient for Bounded {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Answer, Failed> {
        let mut request = self.0.post(uri.as_ref());
        request = request.headers(headers.into_iter().collect::<HeaderMap>());
        request = request.header(ACCEPT, format!("{EVENTS}, {JSON}"));
        request = request.header(CONTENT_TYPE, JSON);
        let in_session = session.is_some();
        if let Some(session) = session {
            request = request.header(SESSION, session.as_ref());
        }
        let response = request.body(serde_json::to_vec(&message)?).send().await?;
        let is_asked = matches!(message, ClientJsonRpcMessage::Request(_));
        answer(response, is_asked, in_session).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failed> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failed> {
        // Each event of it is bounded there.
        let client = &self.0;
        client.get_stream(uri, session, last, token, headers).await
    }
}

/// What a server says to something that it was sent. What is no request needs no answer.
async fn answer(response: Response, is_asked: bool, in_session: bool) -> Result<Answer, Failed> {
    let status = response.status();
    let header = |name: &str| {
        let value = response.headers().get(name)?;
        Some(value.to_str().ok()?.to_owned())
    };
    let challenge = header(WWW_AUTHENTICATE.as_str());
    let (session, kind) = (header(SESSION), header(CONTENT_TYPE.as_str()));
    let kind = kind.unwrap_or_default();
    match (status, challenge) {
        (StatusCode::UNAUTHORIZED, challenge) => {
            let challenge = challenge.unwrap_or_default();
            return Err(Failed::AuthRequired(AuthRequiredError::new(challenge)));
        }
        (StatusCode::NOT_FOUND, _) if in_session => return Err(Failed::SessionExpired),
        (status, _) if !status.is_success() && !kind.starts_with(JSON) => {
            return Err(unexpected(format!("it answers {status}")));
        }
        _ if status.is_success() && !is_asked => return Ok(Answer::Accepted),
        _ => {}
    }
    if kind.starts_with(EVENTS) {
        let events = SseStream::from_bytes_stream(Box::pin(bounded(response)));
        return Ok(Answer::Sse(events.boxed(), session));
    }
    if !kind.starts_with(JSON) {
        return Err(Failed::UnexpectedContentType(Some(kind)));
    }
    let mut body = Vec::new();
    let mut chunks = std::pin::pin!(bounded(response));
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk?);
    }
    match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
        Ok(message) => Ok(Answer::Json(message, session)),
        Err(_) if !status.is_success() => Err(unexpected(format!("it answers {status}"))),
        Err(_) => Err(unexpected(
            "its answer is no message of the protocol".to_owned(),
        )),
    }
}

/// What comes, up to a limit; beyond that it is an error.
fn bounded(response: Response) -> impl Stream<Item = std::io::Result<bytes::Bytes>> + Send {
    let chunks = response.bytes_stream();
    let room = Some(MOST_BYTES);
    stream::unfold((chunks.boxed(), room), |(mut chunks, room)| async move {
        let room = room?;
        let chunk = chunks.next().await?;
        let taken = chunk.map_err(std::io::Error::other).and_then(|chunk| {
            match room.checked_sub(chunk.len()) {
                Some(left) => Ok((chunk, left)),
                None => Err(std::io::Error::other(format!(
                    "its answer has more than {MOST_BYTES} bytes"
                ))),
            }
        });
        Some(match taken {
            Ok((chunk, left)) => (Ok(chunk), (chunks, Some(left))),
            Err(error) => (Err(error), (chunks, None)),
        })
    })
}

fn unexpected(what: String) -> Failed {
    Failed::UnexpectedServerResponse(Cow::Owned(what))
}
