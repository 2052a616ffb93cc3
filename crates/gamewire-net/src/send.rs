//! Sending: several datagrams with one system call where the system has one, otherwise one by one.

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

/// Maximum number of datagrams that [`send_each`] passes to the system at once.
pub const SEND_BATCH: usize = 64;

/// A datagram, and its receiver unless its socket is connected to that.
pub type Outgoing<'a> = (Option<SocketAddr>, &'a [u8]);

/// Sends datagrams in order, each for itself on the wire, with one system call where the system has one for several.
/// Returns the number of those that the system accepted: at most [`SEND_BATCH`], and fewer than there are if the next
/// one fails.
///
/// # Errors
/// The first datagram failed. None is sent.
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
