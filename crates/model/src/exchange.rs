//! One HTTP exchange: a request goes out, a reply is read as it arrives.
//!
//! Knows bytes, statuses and failures; what the bytes mean is the business of a [`Parser`].

use std::future::poll_fn;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, stream};
use reqwest::{RequestBuilder, Response};
use tokio::time::Instant;
use tracing::info;

use crate::deltas::Deltas;
use crate::sse::{Frame, Reader};
use crate::{Delta, ErrorKind, ModelError, Reply, refusal};

/// Words that arrive together are passed on together, up to so many bytes.
const READ_AHEAD: usize = 64 * 1024;

/// How long the end of the body may lag behind the end of the reply.
const DRAIN: Duration = Duration::from_millis(50);

/// Reading a reply of one protocol.
pub(crate) trait Parser: Send {
    /// Each line of the body is an event.
    const LINES: bool = false;

    /// One event.
    fn event(&mut self, data: &[u8], out: &mut Deltas) -> Result<(), ModelError>;

    /// A whole JSON document where a stream was asked for.
    fn body(&mut self, body: &[u8], out: &mut Deltas) -> Result<(), ModelError>;

    /// Whether the protocol says that nothing more will come.
    fn is_done(&self) -> bool;

    /// The body has ended without a break. Only now calls may be given out.
    fn end(&mut self, out: &mut Deltas) -> Result<(), ModelError>;
}

/// A reply as far as it has been read.
#[derive(Debug)]
pub(crate) struct Reading<P> {
    reader: Reader,
    parser: P,
    pub(crate) out: Deltas,
}

impl<P: Parser> Reading<P> {
    pub(crate) fn new(parser: P) -> Self {
        Self {
            reader: if P::LINES {
                Reader::of_lines()
            } else {
                Reader::default()
            },
            parser,
            out: Deltas::default(),
        }
    }

    /// Reads on; whether it was told anything.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<bool, ModelError> {
        let Self {
            reader,
            parser,
            out,
        } = self;
        let mut told = false;
        reader.feed(bytes, &mut |frame| {
            told = true;
            Self::frame(parser, out, frame)
        })?;
        Ok(told)
    }

    /// The body has ended in good order.
    pub(crate) fn finish(&mut self) -> Result<(), ModelError> {
        let Self {
            reader,
            parser,
            out,
        } = self;
        reader.end(&mut |frame| Self::frame(parser, out, frame))?;
        parser.end(out)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.parser.is_done()
    }

    fn frame(parser: &mut P, out: &mut Deltas, frame: Frame<'_>) -> Result<(), ModelError> {
        match frame {
            _ if parser.is_done() => Ok(()),
            Frame::Data(data) => parser.event(data, out),
            Frame::Body(body) => parser.body(body, out),
            Frame::Error(data) => Err(refusal::of_event(data)),
        }
    }
}

/// Whom requests go to.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) provider: String,
    pub(crate) host: String,
    /// How long it may be silent.
    pub(crate) idle: Duration,
    /// What to do where it does not accept the credential.
    pub(crate) key_hint: Option<String>,
}

impl Peer {
    /// Who has failed; and whose credentials they are that were refused, and what to do.
    fn explain(&self, error: ModelError) -> ModelError {
        let Self { provider, host, .. } = self;
        if error.kind == ErrorKind::Auth && error.hint.is_none() {
            return ModelError {
                message: format!("{provider} refuses access: {}", error.message),
                hint: self.key_hint.clone(),
                ..error
            };
        }
        let named = error.message.contains(host.as_str());
        ModelError {
            host: (!named).then(|| host.clone()),
            ..error
        }
    }
}

pub(crate) struct Exchange<P> {
    source: Source,
    reading: Reading<P>,
    /// Told once everything that came before it has been given out.
    failed: Option<ModelError>,
    peer: Arc<Peer>,
    /// When to give up. Events push it back; bytes that say nothing, such as the comments that keep
    /// a connection alive, do not.
    deadline: Instant,
}

enum Source {
    /// With a spare.
    Unsent(Box<(RequestBuilder, Option<RequestBuilder>)>),
    Open(Response),
    Closed,
}

impl<P: Parser + 'static> Exchange<P> {
    /// The reply of `peer` to `request`. `spare` goes out if a kept connection turns out to be closed.
    pub(crate) fn reply(
        request: RequestBuilder,
        spare: Option<RequestBuilder>,
        parser: P,
        peer: Arc<Peer>,
    ) -> Reply {
        let exchange = Self {
            source: Source::Unsent(Box::new((request, spare))),
            reading: Reading::new(parser),
            failed: None,
            deadline: Instant::now() + peer.idle,
            peer,
        };
        Box::pin(stream::unfold(exchange, |mut exchange| async move {
            Some((exchange.next().await?, exchange))
        }))
    }

    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            if let Some(delta) = self.reading.out.pop() {
                return Some(Ok(delta));
            }
            if let Some(error) = self.failed.take() {
                return Some(Err(self.peer.explain(error)));
            }
            if matches!(self.source, Source::Closed) {
                return None;
            }
            if let Err(error) = self.advance().await {
                self.source = Source::Closed;
                self.failed = Some(error);
            }
        }
    }

    async fn advance(&mut self) -> Result<(), ModelError> {
        match std::mem::replace(&mut self.source, Source::Closed) {
            Source::Unsent(unsent) => {
                let (request, spare) = *unsent;
                let Peer { provider, host, .. } = &*self.peer;
                info!(provider, host, "request begun");
                let began = Instant::now();
                let response = tokio::time::timeout_at(self.deadline, send(request, spare))
                    .await
                    .map_err(|_| self.idle_error())?
                    .map_err(|error| unreachable(host, &error))?;
                let status = response.status().as_u16();
                info!(
                    provider,
                    status,
                    ms = began.elapsed().as_millis(),
                    "request answered"
                );
                if !response.status().is_success() {
                    return Err(refusal::read(response, self.deadline).await);
                }
                self.source = Source::Open(response);
            }
            Source::Open(response) => return self.read(response).await,
            Source::Closed => {}
        }
        Ok(())
    }

    /// Waits for more, and takes all that has arrived by then: a server sends each word in a chunk
    /// of its own, and passing them on one by one would cost more than reading them.
    async fn read(&mut self, mut response: Response) -> Result<(), ModelError> {
        let first = tokio::time::timeout_at(self.deadline, response.chunk()).await;
        let mut next = Some(first.map_err(|_| self.idle_error())?);
        let mut taken = 0;
        while let Some(read) = next {
            match read {
                Ok(Some(bytes)) => {
                    taken += bytes.len();
                    if self.reading.take(&bytes)? {
                        self.deadline = Instant::now() + self.peer.idle;
                    }
                }
                Ok(None) => return self.reading.finish(),
                Err(error) => return Err(truncated(&self.peer.host, &error)),
            }
            if self.reading.is_done() {
                drain(response).await;
                return self.reading.finish();
            }
            next = if taken < READ_AHEAD {
                arrived(&mut response).await
            } else {
                None
            };
        }
        self.source = Source::Open(response);
        Ok(())
    }

    fn idle_error(&self) -> ModelError {
        let message = format!(
            "{} sent nothing for {} s",
            self.peer.host,
            self.peer.idle.as_secs()
        );
        ModelError::new(ErrorKind::IdleTimeout, message)
    }
}

/// Sends a request. A server may close a connection at the very moment in which it is used again;
/// where it has said nothing at all, the request goes out once more.
async fn send(request: RequestBuilder, spare: Option<RequestBuilder>) -> reqwest::Result<Response> {
    match (request.send().await, spare) {
        (Err(error), Some(spare)) if hung_up(&error) => spare.send().await,
        (sent, _) => sent,
    }
}

fn hung_up(error: &reqwest::Error) -> bool {
    error.is_request() && !error.is_connect() && !error.is_timeout()
}

/// What can be read without waiting.
async fn arrived(response: &mut Response) -> Option<reqwest::Result<Option<Bytes>>> {
    if let Some(read) = response.chunk().now_or_never() {
        return Some(read);
    }
    // The connection is served by a task of its own, which may have more.
    let_others_run().await;
    response.chunk().now_or_never()
}

/// Goes to the end of the queue of tasks that can run. Unlike tokio's `yield_now` this does not
/// ask the system for news, which for a word at a time costs more than the words.
fn let_others_run() -> impl Future<Output = ()> {
    let mut ran = false;
    poll_fn(move |context| {
        if std::mem::replace(&mut ran, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Reads what is left of a finished reply, so that its connection can be used again. Opening
/// another one costs more than this wait.
async fn drain(mut response: Response) {
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    tokio::time::timeout(DRAIN, rest).await.ok();
}

/// The server could not be reached.
pub(crate) fn unreachable(host: &str, error: &reqwest::Error) -> ModelError {
    let why = innermost(error).to_string();
    let failed = |why: &str| {
        let message = format!("cannot reach {host}: {why}");
        ModelError::new(ErrorKind::Unreachable, message)
    };
    // What answers a greeting of TLS with plain words.
    if why.contains("InvalidContentType") {
        return ModelError {
            hint: Some("write the address with `http://` in front".to_owned()),
            nobody_there: true,
            ..failed("the server does not speak TLS")
        };
    }
    if !is_refused(error) {
        return failed(&why);
    }
    ModelError {
        hint: Some("is it running, and is the address right?".to_owned()),
        // Elsewhere it may be on its way up; here one would know.
        nobody_there: is_here(host),
        ..failed(&why)
    }
}

fn is_refused(error: &reqwest::Error) -> bool {
    let io = innermost(error).downcast_ref::<io::Error>();
    io.is_some_and(|io| io.kind() == io::ErrorKind::ConnectionRefused)
}

/// Whether a host, with a port or without, is this machine.
fn is_here(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn truncated(host: &str, error: &reqwest::Error) -> ModelError {
    let message = format!(
        "the connection to {host} broke in mid-reply: {}",
        innermost(error)
    );
    ModelError::new(ErrorKind::StreamTruncated, message)
}

/// The innermost cause says what happened; the outer ones only where.
fn innermost(error: &reqwest::Error) -> &(dyn std::error::Error + 'static) {
    let mut innermost: &(dyn std::error::Error + 'static) = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost
}
