use std::io::{self, IoSlice};
use std::os::fd::BorrowedFd;

use rustix::net::{MMsgHdr, SendAncillaryBuffer, SendFlags, SocketAddrAny, sendmmsg};

use super::{MAX_SEND_BATCH, Outgoing, send_one};

pub(super) fn send_each<'a>(
    socket: BorrowedFd<'_>,
    mut datagrams: impl ExactSizeIterator<Item = Outgoing<'a>>,
) -> io::Result<usize> {
    match datagrams.len() {
        // The plain call is faster for a single datagram.
        0 | 1 => datagrams.next().map_or(Ok(0), |datagram| send_one(socket, datagram).map(|()| 1)),
        // Preparing unused headers would cost time.
        2..=4 => send_up_to::<4>(socket, datagrams),
        5..=16 => send_up_to::<16>(socket, datagrams),
        _ => send_up_to::<MAX_SEND_BATCH>(socket, datagrams),
    }
}

/// Sends at most `N` datagrams with one call.
fn send_up_to<'a, const N: usize>(
    socket: BorrowedFd<'_>,
    datagrams: impl ExactSizeIterator<Item = Outgoing<'a>>,
) -> io::Result<usize> {
    let count = datagrams.len().min(N);
    let mut addresses = [const { None::<SocketAddrAny> }; N];
    let mut contents = [[IoSlice::new(&[])]; N];
    for ((address, content), (to, bytes)) in addresses.iter_mut().zip(&mut contents).zip(datagrams) {
        *address = to.map(SocketAddrAny::from);
        *content = [IoSlice::new(bytes)];
    }
    let mut controls = [(); N].map(|()| SendAncillaryBuffer::default());
    let mut parts = addresses.iter().zip(&contents);
    let mut messages = controls.each_mut().map(|control| match parts.next() {
        Some((Some(address), content)) => MMsgHdr::new_with_addr(address, content, control),
        Some((None, content)) => MMsgHdr::new(content, control),
        None => MMsgHdr::new(&[], control),
    });
    let messages = messages.get_mut(..count).unwrap_or_default();
    Ok(sendmmsg(socket, messages, SendFlags::empty())?)
}
