use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs as _};

/// Default address of a page. It is fixed, so that links to it can be shared.
pub(crate) const DEFAULT_ADDRESS: &str = "127.0.0.1:8642";

/// Parses an address with a port, or a port of 127.0.0.1. Port 0 is any free port.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let expected =
        || format!("expected a port, or an address with a port such as {DEFAULT_ADDRESS}, found `{text}`");
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let port = port.parse().ok().filter(|_| is_number).ok_or_else(expected)?;
    if host.is_empty() {
        return Ok(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let found = (host, port).to_socket_addrs().ok().and_then(|mut found| found.next());
    found.ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_the_loopback_interface() {
        for (text, address) in [
            ("8642", "127.0.0.1:8642"),
            (":0", "127.0.0.1:0"),
            ("[::1]:80", "[::1]:80"),
            ("0.0.0.0:8642", "0.0.0.0:8642"),
        ] {
            assert_eq!(parse_address(text).map(|found| found.to_string()).as_deref(), Ok(address));
        }
        for text in ["", "x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "::1"] {
            assert!(parse_address(text).is_err(), "{text}");
        }
    }
}
