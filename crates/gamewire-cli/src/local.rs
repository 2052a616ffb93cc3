//! This machine's own addresses.

use std::net::{SocketAddr, UdpSocket};

/// A socket's own address towards `server`: a recording is to tell where datagrams really went.
pub(crate) fn local_for(server: SocketAddr) -> SocketAddr {
    let any = SocketAddr::new(if server.is_ipv4() { [0; 4].into() } else { [0; 16].into() }, 0);
    let towards = UdpSocket::bind(any).and_then(|probe| {
        probe.connect(server)?;
        probe.local_addr()
    });
    towards.map_or(any, |address| SocketAddr::new(address.ip(), 0))
}
