//! Local addresses.

use std::net::{SocketAddr, UdpSocket};

/// Returns the local address of a socket that reaches `server`, so that a recording has real addresses.
pub(crate) fn local_for(server: SocketAddr) -> SocketAddr {
    let any = SocketAddr::new(if server.is_ipv4() { [0; 4].into() } else { [0; 16].into() }, 0);
    let towards = UdpSocket::bind(any).and_then(|probe| {
        probe.connect(server)?;
        probe.local_addr()
    });
    towards.map_or(any, |address| SocketAddr::new(address.ip(), 0))
}
