use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

/// Returns the unspecified address of the family of `server`, with any port.
pub(crate) fn any_port(server: SocketAddr) -> SocketAddr {
    match server {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    }
}

/// Returns the first address of a server. Blocks while its name is resolved.
pub(crate) fn resolve(server: impl ToSocketAddrs) -> io::Result<SocketAddr> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    server.to_socket_addrs()?.next().ok_or_else(none)
}

/// Returns 32 unpredictable bytes from the operating system, for the seeds of machines' configurations.
///
/// # Panics
/// If the operating system has no randomness. Every system that can open a socket has it.
#[must_use]
#[allow(clippy::expect_used, reason = "without randomness nothing that follows would be safe")]
pub fn seed() -> [u8; 32] {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).expect("the operating system gives random bytes");
    seed
}
