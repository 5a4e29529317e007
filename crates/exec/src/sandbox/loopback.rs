//! Switching on the loopback device of a new network namespace.

use std::io;

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with,
};

use super::step::Step;

/// In a new namespace the loopback device is always the first.
const LOOPBACK: i32 = 1;

/// Switches it on. What is sent to it reaches only processes of the same namespace.
pub(super) fn switch_on() -> io::Result<()> {
    ask().step("switching on the loopback device")
}

fn ask() -> io::Result<()> {
    let socket = socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        // That of routes and devices.
        None,
    )?;
    let kernel = SocketAddrNetlink::new(0, 0);
    sendto(&socket, &request(), SendFlags::empty(), &kernel)?;
    let mut answer = [0_u8; 256];
    let (read, _) = recv(&socket, &mut answer, RecvFlags::empty())?;
    // The error's number follows the header of 16 bytes; 0 means that it was done.
    match answer.get(16..20).filter(|_| read >= 20) {
        Some(&[a, b, c, d]) => match i32::from_ne_bytes([a, b, c, d]) {
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(-error)),
        },
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// A `RTM_NEWLINK` message that sets `IFF_UP` and changes nothing else.
fn request() -> Vec<u8> {
    let flags = libc::NLM_F_REQUEST | libc::NLM_F_ACK;
    let up = libc::IFF_UP.unsigned_abs();
    let header = [
        &32_u32.to_ne_bytes()[..],
        &libc::RTM_NEWLINK.to_ne_bytes(),
        &u16::try_from(flags).unwrap_or_default().to_ne_bytes(),
        &1_u32.to_ne_bytes(),
        &0_u32.to_ne_bytes(),
    ];
    let link = [
        &[0_u8; 4][..],
        &LOOPBACK.to_ne_bytes(),
        &up.to_ne_bytes(),
        &up.to_ne_bytes(),
    ];
    [header.concat(), link.concat()].concat()
}
