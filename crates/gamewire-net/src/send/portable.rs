use std::io;
use std::os::fd::BorrowedFd;

use super::{MAX_SEND_BATCH, Outgoing, send_one};

pub(super) fn send_each<'a>(
    socket: BorrowedFd<'_>,
    datagrams: impl ExactSizeIterator<Item = Outgoing<'a>>,
) -> io::Result<usize> {
    let mut sent = 0_usize;
    for datagram in datagrams.take(MAX_SEND_BATCH) {
        match send_one(socket, datagram) {
            Ok(()) => sent = sent.saturating_add(1),
            Err(error) if sent == 0 => return Err(error),
            // If the datagram fails again, the next call returns its error.
            Err(_) => break,
        }
    }
    Ok(sent)
}
