//! One connection: requests in, replies out, until either side has had enough.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};

use super::Shared;
use super::reply::{End, Sending, Step};
use super::request::Recorded;

pub(super) struct Connection<'a> {
    number: usize,
    stream: TcpStream,
    /// What has come in and is not yet part of a request.
    unread: Vec<u8>,
    shared: &'a Shared,
}

/// What becomes of the connection after a reply.
enum After {
    Next,
    Close,
}

impl<'a> Connection<'a> {
    pub(super) fn new(number: usize, stream: TcpStream, shared: &'a Shared) -> Self {
        Self {
            number,
            stream,
            unread: Vec::new(),
            shared,
        }
    }

    /// Answers requests until the connection is over. That the client leaves is not a failure
    /// here: many tests are about just that.
    pub(super) async fn serve(mut self) {
        self.stream.set_nodelay(true).unwrap();
        while let Ok(Some(request)) = self.next_request().await {
            let last = request.header("connection") == Some("close");
            let sending = self.shared.script.answer(&request);
            self.shared.log.update(|log| log.requests.push(request));
            match self.reply(&sending).await {
                After::Next if !last => {}
                _ => return,
            }
        }
    }

    /// The next request; `None` when the client is done or talks nonsense.
    async fn next_request(&mut self) -> io::Result<Option<Recorded>> {
        loop {
            match Recorded::parse(&self.unread, self.number) {
                Ok(Some((request, length))) => {
                    self.unread.drain(..length);
                    return Ok(Some(request));
                }
                Ok(None) => {}
                Err(error) => return self.refuse(error).await,
            }
            if self.stream.read_buf(&mut self.unread).await? == 0 {
                return Ok(None);
            }
        }
    }

    async fn refuse(&mut self, error: httparse::Error) -> io::Result<Option<Recorded>> {
        let text = format!("not an HTTP request: {error}");
        let length = text.len();
        let head = format!("HTTP/1.1 400 Client Error\r\ncontent-length: {length}\r\n\r\n");
        self.stream.write_all((head + &text).as_bytes()).await?;
        Ok(None)
    }

    /// Sends a reply, unless the client leaves before it is complete.
    async fn reply(&mut self, sending: &Sending) -> After {
        let (mut incoming, mut outgoing) = self.stream.split();
        let sent = tokio::select! {
            sent = send(sending, &mut outgoing) => sent,
            () = client_left(&mut incoming, &mut self.unread) => return After::Close,
        };
        match sending.end {
            _ if sent.is_err() => After::Close,
            End::Eof => After::Next,
            End::Cut => After::Close,
            End::Reset => {
                self.stream.set_zero_linger().unwrap();
                After::Close
            }
            End::Stall => {
                client_left(&mut incoming, &mut self.unread).await;
                After::Close
            }
        }
    }
}

async fn send(sending: &Sending, to: &mut WriteHalf<'_>) -> io::Result<()> {
    to.write_all(&sending.head).await?;
    for step in &sending.steps {
        match step {
            Step::Chunk(bytes) => to.write_all(&sending.frame(bytes)).await?,
            Step::Gate(gate) => gate.pass().await,
            Step::Delay(time) => tokio::time::sleep(*time).await,
            Step::Turn(..) => unreachable!("turns are spelled out before anything is sent"),
        }
    }
    if sending.end == End::Eof && sending.chunked {
        to.write_all(b"0\r\n\r\n").await?;
    }
    Ok(())
}

/// Ends when the client closes the connection; keeps what it says until then. A client that
/// closes only its sending side counts as gone: no HTTP client of ours does that.
async fn client_left(incoming: &mut ReadHalf<'_>, unread: &mut Vec<u8>) {
    while incoming.read_buf(unread).await.is_ok_and(|count| count > 0) {}
}
