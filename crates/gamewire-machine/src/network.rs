use std::net::IpAddr;

/// Returns the network that limits per address treat as one address: an IPv4 address alone, or the /56 network of an
/// IPv6 address, which a provider may assign to one customer (RIPE-690, RFC 6177).
#[must_use]
pub fn limited_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) if !ip.is_loopback() => {
            let [a, b, c, d, ..] = ip.segments();
            IpAddr::from([a, b, c, d & 0xff00, 0, 0, 0, 0])
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_address_counts_as_its_network() {
        let network = |text: &str| text.parse().map(limited_network).map(|network| network.to_string());
        for (address, expected) in [
            ("10.0.0.1", "10.0.0.1"),
            ("::ffff:10.0.0.1", "10.0.0.1"),
            ("2001:db8:1:2:3::4", "2001:db8:1::"),
            ("2001:db8:1:ff::4", "2001:db8:1::"),
            ("2001:db8:1:1ff::4", "2001:db8:1:100::"),
            ("::1", "::1"),
        ] {
            assert_eq!(network(address).as_deref(), Ok(expected));
        }
    }
}
