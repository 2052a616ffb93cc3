//! Addresses and randomness from the operating system.

/// Returns the unspecified address of the family of `server`, with any port.
#[cfg(any(feature = "riptide", feature = "teeworlds"))]
pub(crate) fn any_port(server: std::net::SocketAddr) -> std::net::SocketAddr {
    use std::net::{Ipv4Addr, Ipv6Addr};
    if server.is_ipv4() { (Ipv4Addr::UNSPECIFIED, 0).into() } else { (Ipv6Addr::UNSPECIFIED, 0).into() }
}

/// Returns the unspecified address, with any port, for a socket that reaches `servers`. Without IPv6 on this system,
/// removes its addresses if there are others.
#[cfg(any(feature = "riptide", feature = "teeworlds"))]
pub(crate) fn any_port_for(servers: &mut Vec<std::net::SocketAddr>) -> std::net::SocketAddr {
    use std::net::{Ipv6Addr, SocketAddr, UdpSocket};
    let is_mixed = servers.iter().any(SocketAddr::is_ipv4) && servers.iter().any(SocketAddr::is_ipv6);
    if is_mixed && UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)).is_err() {
        servers.retain(SocketAddr::is_ipv4);
    }
    let family = servers.iter().find(|server| server.is_ipv6()).or_else(|| servers.first());
    any_port(family.copied().unwrap_or_else(|| ([0; 4], 0).into()))
}

/// Returns the addresses of a server, or an error if there are none.
pub(crate) fn at_least_one(
    servers: impl Iterator<Item = std::net::SocketAddr>,
) -> std::io::Result<Vec<std::net::SocketAddr>> {
    use std::io::{Error, ErrorKind};
    let servers: Vec<_> = servers.collect();
    if servers.is_empty() {
        return Err(Error::new(ErrorKind::NotFound, "the name has no address"));
    }
    Ok(servers)
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
