//! The server as a client sees it: over a raw socket.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::{Gate, PATIENCE};

struct Client(TcpStream);

impl Client {
    fn of(server: &ModelServer) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    fn post(&mut self, path: &str, body: &str) {
        let length = body.len();
        let request = format!("POST {path} HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}");
        self.0.write_all(request.as_bytes()).unwrap();
    }

    /// All that comes, up to and including `end`.
    fn read_until(&mut self, end: &str) -> String {
        let mut got = Vec::new();
        while !got.ends_with(end.as_bytes()) {
            let mut byte = [0];
            let so_far = || String::from_utf8_lossy(&got).into_owned();
            match self.0.read(&mut byte) {
                Ok(1) => got.push(byte[0]),
                other => panic!("{other:?} after {:?}", so_far()),
            }
        }
        String::from_utf8(got).unwrap()
    }

    /// All that comes until the server closes.
    fn read_to_end(&mut self) -> String {
        let mut got = String::new();
        self.0.read_to_string(&mut got).unwrap();
        got
    }
}

#[test]
fn replies_come_in_order_on_one_connection() {
    let server = ModelServer::start(vec![
        HttpReply::text(200, "hello"),
        HttpReply::json(404, json!({"error": "gone"})),
        HttpReply::status(429).header("retry-after", "3"),
    ]);
    let mut client = Client::of(&server);
    client.post("/a?b=c", "one");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\n\
        transfer-encoding: chunked\r\n\r\n";
    let text = client.read_until("0\r\n\r\n");
    assert_eq!(text, format!("{head}5\r\nhello\r\n0\r\n\r\n"));
    client.post("/b", "two");
    let text = client.read_until("0\r\n\r\n");
    assert!(text.starts_with("HTTP/1.1 404 "), "{text}");
    assert!(
        text.contains("\r\n10\r\n{\"error\":\"gone\"}\r\n"),
        "{text}"
    );
    client.post("/c", "three");
    let text = client.read_until("0\r\n\r\n");
    assert!(text.starts_with("HTTP/1.1 429 "), "{text}");
    assert!(text.contains("\r\nretry-after: 3\r\n"), "{text}");

    let requests = server.wait_for_requests(3);
    let seen: Vec<_> = requests
        .iter()
        .map(|request| (request.path.as_str(), request.text(), request.connection))
        .collect();
    assert_eq!(
        seen,
        [("/a?b=c", "one", 0), ("/b", "two", 0), ("/c", "three", 0)]
    );
}

#[test]
fn requests_sent_at_once_are_all_answered() {
    let server = ModelServer::start(vec![HttpReply::text(200, "1"), HttpReply::text(200, "2")]);
    let mut client = Client::of(&server);
    let both = "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nconnection: close\r\n\r\n";
    client.0.write_all(both.as_bytes()).unwrap();
    let text = client.read_to_end();
    assert_eq!(text.matches("HTTP/1.1 200").count(), 2, "{text}");
    let mut other = Client::of(&server);
    other.post("/3", "");
    let requests = server.wait_for_requests(3);
    let connections: Vec<_> = requests.iter().map(|request| request.connection).collect();
    assert_eq!(connections, [0, 0, 1]);
}

#[test]
fn a_request_beyond_the_script_is_told_so_and_recorded() {
    let server = ModelServer::start(vec![]);
    let mut client = Client::of(&server);
    client.post("/more", "");
    let text = client.read_until("0\r\n\r\n");
    assert!(text.starts_with("HTTP/1.1 500 "), "{text}");
    assert!(text.contains("no reply left for POST /more"), "{text}");
    assert_eq!(server.requests()[0].path, "/more");

    server.push(HttpReply::text(200, "later"));
    client.post("/again", "");
    assert!(client.read_until("0\r\n\r\n").contains("later"));
}

#[test]
fn a_gate_holds_the_rest_back() {
    let gate = Gate::new();
    let reply = HttpReply::sse()
        .chunk("data: 1\n\n")
        .gate(&gate)
        .chunk("data: 2\n\n");
    let server = ModelServer::start(vec![reply]);
    let mut client = Client::of(&server);
    client.post("/", "");
    gate.wait_reached();
    let text = client.read_until("data: 1\n\n\r\n");
    assert!(text.contains("content-type: text/event-stream"), "{text}");
    client.0.set_nonblocking(true).unwrap();
    assert_eq!(
        client.0.read(&mut [0]).unwrap_err().kind(),
        ErrorKind::WouldBlock
    );
    client.0.set_nonblocking(false).unwrap();
    gate.open();
    assert_eq!(
        client.read_until("0\r\n\r\n"),
        "9\r\ndata: 2\n\n\r\n0\r\n\r\n"
    );
}

#[test]
fn a_cut_reply_ends_without_its_last_chunk() {
    let server = ModelServer::start(vec![HttpReply::sse().chunk("data: 1").cut()]);
    let mut client = Client::of(&server);
    client.post("/", "");
    assert!(client.read_to_end().ends_with("\r\n7\r\ndata: 1\r\n"));
    server.wait_closed(0);
}

#[test]
fn a_reset_reply_is_an_error_to_the_client() {
    let gate = Gate::new();
    let reply = HttpReply::sse().chunk("data: 1").gate(&gate).reset();
    let server = ModelServer::start(vec![reply]);
    let mut client = Client::of(&server);
    client.post("/", "");
    client.read_until("data: 1\r\n");
    gate.open();
    let error = client.0.read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[test]
fn a_stalled_reply_lasts_until_the_client_leaves() {
    let server = ModelServer::start(vec![HttpReply::sse().chunk("data: 1").stall()]);
    let mut client = Client::of(&server);
    client.post("/", "");
    client.read_until("data: 1\r\n");
    client.0.set_nonblocking(true).unwrap();
    assert_eq!(
        client.0.read(&mut [0]).unwrap_err().kind(),
        ErrorKind::WouldBlock
    );
    drop(client);
    server.wait_closed(0);
}

#[test]
fn a_client_that_leaves_at_a_gate_is_noticed() {
    let gate = Gate::new();
    let server = ModelServer::start(vec![HttpReply::sse().gate(&gate)]);
    let mut client = Client::of(&server);
    client.post("/", "");
    gate.wait_reached();
    drop(client);
    server.wait_closed(0);
}

#[test]
fn dropping_the_server_closes_what_is_open() {
    let server = ModelServer::start(vec![HttpReply::sse().chunk("data: 1").stall()]);
    let mut client = Client::of(&server);
    client.post("/", "");
    client.read_until("data: 1\r\n");
    let address = server.address();
    drop(server);
    assert_eq!(client.read_to_end(), "");
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn rechunking_splits_everything_and_keeps_the_gates() {
    let gate = Gate::new();
    gate.open();
    let reply = HttpReply::status(200)
        .chunk("ab")
        .chunk("c")
        .gate(&gate)
        .delay(Duration::ZERO)
        .chunk("de");
    let server = ModelServer::start(vec![reply.clone().rechunk(1), reply.rechunk(2)]);
    let mut client = Client::of(&server);
    client.post("/", "");
    client.read_until("\r\n\r\n");
    let ones = client.read_until("0\r\n\r\n");
    assert_eq!(
        ones,
        "1\r\na\r\n1\r\nb\r\n1\r\nc\r\n1\r\nd\r\n1\r\ne\r\n0\r\n\r\n"
    );
    client.post("/", "");
    client.read_until("\r\n\r\n");
    let twos = client.read_until("0\r\n\r\n");
    assert_eq!(twos, "2\r\nab\r\n1\r\nc\r\n2\r\nde\r\n0\r\n\r\n");
}

#[test]
fn a_given_length_sends_the_bytes_as_they_are() {
    let reply = HttpReply::status(200)
        .header("Content-Length", "2")
        .chunk("ok");
    let server = ModelServer::start(vec![reply]);
    let mut client = Client::of(&server);
    client.post("/", "");
    assert_eq!(
        client.read_until("ok"),
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    );
}

#[test]
fn nonsense_is_refused() {
    let server = ModelServer::start(vec![]);
    let mut client = Client::of(&server);
    client.0.write_all(b"\0nonsense\r\n\r\n").unwrap();
    let text = client.read_to_end();
    assert!(text.starts_with("HTTP/1.1 400 "), "{text}");
    assert_eq!(server.requests(), []);
}

#[test]
fn call_ids_count_over_the_life_of_the_server() {
    for protocol in Protocol::ALL {
        let turns = [Turn::call("a", json!({})), Turn::call("b", json!({}))];
        let server = ModelServer::speaking(protocol, turns);
        let mut client = Client::of(&server);
        for id in ["\"call_1\"", "\"call_2\""] {
            client.post("/", "{}");
            let text = client.read_until("0\r\n\r\n");
            assert!(text.contains(id), "{text}");
        }
    }
}

#[tokio::test]
async fn an_asynchronous_test_can_wait_as_well() {
    let server = ModelServer::start(vec![HttpReply::status(200).stall()]);
    let mut client = Client::of(&server);
    client.post("/", "");
    assert_eq!(server.requests_reach(1).await[0].method, "POST");
    drop(client);
    server.closed(0).await;
}
