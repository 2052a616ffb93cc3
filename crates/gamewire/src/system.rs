//! Addresses and randomness from the operating system.

/// Returns the unspecified address of the family of `server`, with any port.
#[cfg(any(feature = "riptide", feature = "teeworlds"))]
pub(crate) fn any_port(server: std::net::SocketAddr) -> std::net::SocketAddr {
    use std::net::{Ipv4Addr, Ipv6Addr};
    if server.is_ipv4() { (Ipv4Addr::UNSPECIFIED, 0).into() } else { (Ipv6Addr::UNSPECIFIED, 0).into() }
}

/// Returns the first address of a server. Blocks while its name is resolved.
#[cfg(any(feature = "riptide", feature = "freeciv"))]
pub(crate) fn resolve(server: impl std::net::ToSocketAddrs) -> std::io::Result<std::net::SocketAddr> {
    use std::io::{Error, ErrorKind};
    server.to_socket_addrs()?.next().ok_or_else(|| Error::new(ErrorKind::NotFound, "the name has no address"))
}

/// Returns 32 unpredictable bytes from the operating system, for the seeds of machines' configurations.
///
/// # Panics
/// If the operating system has no randomness. Every system that can open a socket has it.
#[allow(clippy::expect_used, reason = "without randomness nothing that follows would be safe")]
pub fn seed() -> [u8; 32] {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).expect("the operating system gives random bytes");
    seed
}
