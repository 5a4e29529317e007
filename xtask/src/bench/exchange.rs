//! The least that talking to a model server can take: bytes out, bytes in, over one socket.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use anyhow::ensure;
use pollux_testkit::Recorded;

/// What ends a chunked body.
const END: &[u8] = b"\r\n0\r\n\r\n";

/// Sends `requests` one after the other and reads each reply to its end.
pub(crate) fn replay(address: SocketAddr, requests: &[Recorded]) -> anyhow::Result<()> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_nodelay(true)?;
    let mut buffer = vec![0; 64 * 1024];
    for request in requests {
        socket.write_all(&message(request))?;
        let mut tail = Vec::new();
        while !tail.ends_with(END) {
            let read = socket.read(&mut buffer)?;
            ensure!(read > 0, "the server hung up");
            tail.extend_from_slice(&buffer[..read]);
            let keep = tail.len().saturating_sub(END.len());
            tail.drain(..keep);
        }
    }
    Ok(())
}

fn message(request: &Recorded) -> Vec<u8> {
    let mut head = format!("{} {} HTTP/1.1\r\n", request.method, request.path);
    for (name, value) in &request.headers {
        head.push_str(name);
        head.push_str(": ");
        head.push_str(value);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    [head.as_bytes(), &request.body].concat()
}
