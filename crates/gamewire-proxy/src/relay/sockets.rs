use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use gamewire_net::{ReceiveBatch, canonical, prepare_udp};
use quinn_udp::UdpSocketState;
use rustix::net::sockopt::set_socket_recv_buffer_size;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::config::LISTEN_BUFFER;

/// A UDP socket and the capabilities of the system for it.
#[derive(Debug)]
pub(super) struct Socket {
    pub(super) socket: mio::net::UdpSocket,
    state: UdpSocketState,
}

impl Socket {
    fn new(socket: UdpSocket) -> io::Result<Self> {
        let state = prepare_udp(&socket)?;
        Ok(Self { socket: mio::net::UdpSocket::from_std(socket), state })
    }

    /// Receives datagrams with one system call. Returns the number of filled buffers.
    pub(super) fn receive(&self, batch: &mut ReceiveBatch) -> io::Result<usize> {
        batch.fill(|slices, meta| self.state.recv((&self.socket).into(), slices, meta))
    }
}

/// Binds the socket that all clients share.
pub(super) fn bind_udp(local: SocketAddr) -> io::Result<Socket> {
    let socket = UdpSocket::bind(local)?;
    // Some systems reject a size above their limit instead of using the limit.
    let _ = set_socket_recv_buffer_size(&socket, LISTEN_BUFFER);
    Socket::new(socket)
}

/// Opens a socket to the server for one client.
pub(super) fn connect_udp(server: SocketAddr) -> io::Result<(Socket, SocketAddr)> {
    let socket = UdpSocket::bind(any(server))?;
    socket.connect(server)?;
    let local = socket.local_addr()?;
    Ok((Socket::new(socket)?, local))
}

/// Starts to connect a stream to the server.
pub(super) fn connect_tcp(server: SocketAddr) -> io::Result<mio::net::TcpStream> {
    let stream = mio::net::TcpStream::connect(server)?;
    // A failure only adds delay, and a broken stream fails at its first use.
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

/// Returns the address at which `peer` reaches a socket that is bound to `local`, for a recording. If the socket is
/// bound to all addresses, this is the IP address of the interface towards the peer.
pub(super) fn reached_at(local: SocketAddr, peer: SocketAddr) -> SocketAddr {
    if !local.ip().is_unspecified() {
        return local;
    }
    let towards = UdpSocket::bind(any(peer)).and_then(|probe| {
        probe.connect(peer)?;
        probe.local_addr()
    });
    towards.map_or(local, |address| SocketAddr::new(address.ip(), local.port()))
}

fn any(peer: SocketAddr) -> SocketAddr {
    let ip = if peer.is_ipv4() { IpAddr::from(Ipv4Addr::UNSPECIFIED) } else { Ipv6Addr::UNSPECIFIED.into() };
    SocketAddr::new(ip, 0)
}

/// Returns whether `server` is the address of a proxy that listens on `local`.
pub(super) fn is_itself(local: SocketAddr, server: SocketAddr) -> bool {
    if local.port() != server.port() {
        return false;
    }
    let (local, server) = (canonical(local).ip(), canonical(server).ip());
    // A socket that is bound to all addresses is reachable at every local address, and only local addresses can be
    // bound.
    local == server || local.is_unspecified() && UdpSocket::bind(SocketAddr::new(server, 0)).is_ok()
}

/// Raises the limit of open files to the system's maximum.
pub(super) fn raise_socket_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // With a lower limit, the proxy refuses new clients earlier.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

/// Configures an accepted stream.
pub(super) fn accepted(stream: mio::net::TcpStream) -> mio::net::TcpStream {
    // A failure only adds delay.
    let _ = stream.set_nodelay(true);
    stream
}

/// Returns whether a connection attempt has succeeded.
///
/// # Errors
/// The error of the attempt if it failed.
pub(super) fn connected(stream: &mio::net::TcpStream) -> io::Result<bool> {
    if let Some(error) = stream.take_error()? {
        return Err(error);
    }
    match stream.peer_addr() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn p1_a_proxy_that_is_its_own_server_is_noticed() {
        for (local, server, is) in [
            ("127.0.0.1:8303", "127.0.0.1:8303", true),
            ("127.0.0.1:8303", "127.0.0.1:8304", false),
            ("0.0.0.0:8303", "127.0.0.1:8303", true),
            ("[::]:8303", "127.0.0.1:8303", true),
            ("0.0.0.0:8303", "192.0.2.1:8303", false),
        ] {
            assert_eq!(is_itself(address(local), address(server)), is, "{local} {server}");
        }
    }
}
