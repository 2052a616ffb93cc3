use std::net::{IpAddr, SocketAddr};

/// Returns the address of a peer in the form that machines use: an IPv4-mapped IPv6 address becomes an IPv4 address.
pub fn canonical(peer: SocketAddr) -> SocketAddr {
    match peer.ip().to_canonical() {
        IpAddr::V4(ip) => SocketAddr::new(ip.into(), peer.port()),
        IpAddr::V6(_) => peer,
    }
}

/// Returns the address of a peer for a socket bound to `local`, or `None` if the socket cannot reach the peer.
pub fn to_socket_family(local: SocketAddr, peer: SocketAddr) -> Option<SocketAddr> {
    if peer.port() == 0 {
        return None;
    }
    match (local, canonical(peer)) {
        (SocketAddr::V4(_), SocketAddr::V6(_)) => None,
        (SocketAddr::V6(_), SocketAddr::V4(peer)) => {
            Some(SocketAddr::new(peer.ip().to_ipv6_mapped().into(), peer.port()))
        }
        (_, peer) => Some(peer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_peer_over_ipv4_has_one_address_on_any_socket() {
        let (four, mapped) = (address("192.0.2.1:8303"), address("[::ffff:192.0.2.1]:8303"));
        assert_eq!(canonical(mapped), four);
        assert_eq!(canonical(four), four);
        assert_eq!(to_socket_family(address("[::]:1"), four), Some(mapped));
        assert_eq!(to_socket_family(address("0.0.0.0:1"), mapped), Some(four));
    }

    #[test]
    fn ipv6_keeps_its_scope_and_does_not_go_through_an_ipv4_socket() {
        let scoped = SocketAddr::V6(std::net::SocketAddrV6::new("fe80::1".parse().unwrap(), 8303, 0, 3));
        assert_eq!(to_socket_family(address("[::]:1"), canonical(scoped)), Some(scoped));
        assert_eq!(to_socket_family(address("0.0.0.0:1"), scoped), None);
    }

    #[test]
    fn port_0_is_unreachable() {
        assert_eq!(to_socket_family(address("0.0.0.0:1"), address("192.0.2.1:0")), None);
    }
}
