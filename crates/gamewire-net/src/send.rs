//! Sends several datagrams with one system call where the system supports it, otherwise one by one.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;
#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::os::fd::AsFd;

use rustix::net::{SendFlags, send, sendto};

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// Maximum number of datagrams that [`send_each`] passes to the system in one call.
pub const MAX_SEND_BATCH: usize = 64;

/// A datagram and its receiver. The receiver is `None` if the socket is connected to it.
pub type Outgoing<'a> = (Option<SocketAddr>, &'a [u8]);

/// Sends datagrams in order, with one system call where the system supports it. Each datagram is a separate packet on
/// the wire. Returns the number of datagrams that the system accepted. It is at most [`MAX_SEND_BATCH`], and lower than
/// the number of datagrams if the next one fails.
///
/// # Errors
/// The error of the first datagram. Nothing is sent.
pub fn send_each<'a>(
    socket: &impl AsFd,
    datagrams: impl ExactSizeIterator<Item = Outgoing<'a>>,
) -> io::Result<usize> {
    system::send_each(socket.as_fd(), datagrams)
}

/// Sends one datagram.
fn send_one(socket: impl AsFd, (to, bytes): Outgoing<'_>) -> io::Result<()> {
    match to {
        Some(to) => sendto(socket, bytes, SendFlags::empty(), &to)?,
        None => send(socket, bytes, SendFlags::empty())?,
    };
    Ok(())
}
