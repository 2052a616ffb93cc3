use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Parses a loopback address with a port, or a port of 127.0.0.1. Port 0 is any free port.
pub(crate) fn parse_loopback_address(text: &str) -> Result<SocketAddr, String> {
    let address = parse(text, "a loopback address with a port such as 127.0.0.1:9100")?;
    if !is_loopback(address.ip()) {
        return Err(format!(
            "{} is not a loopback address, and the figures are for this machine only; use 127.0.0.1 or [::1]",
            address.ip()
        ));
    }
    Ok(address)
}

/// Parses an IP address with a port, or a port of 127.0.0.1. Port 0 is any free port.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    parse(text, "an IP address with a port such as 0.0.0.0:8080")
}

fn parse(text: &str, example: &str) -> Result<SocketAddr, String> {
    let expected = || format!("expected a port, or {example}, found `{text}`");
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let port = port.parse().ok().filter(|_| is_number).ok_or_else(expected)?;
    let address = if host.is_empty() { Some(Ipv4Addr::LOCALHOST.into()) } else { parse_host(host) };
    Ok(SocketAddr::new(address.ok_or_else(expected)?, port))
}

/// Parses `localhost`, an IPv4 address, or an IPv6 address in brackets.
fn parse_host(host: &str) -> Option<IpAddr> {
    if host.eq_ignore_ascii_case("localhost") {
        return Some(Ipv4Addr::LOCALHOST.into());
    }
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse().ok().map(IpAddr::V6),
        None => host.parse().ok().map(IpAddr::V4),
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Returns whether the Host header of a request is a loopback name or address. A request with another name is from a
/// web page that has made its own name resolve to this machine.
pub(super) fn is_loopback_host(host: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    parse_host(name).is_some_and(is_loopback)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_the_loopback_interface() {
        for (text, address) in [
            ("9100", "127.0.0.1:9100"),
            (":9100", "127.0.0.1:9100"),
            ("0", "127.0.0.1:0"),
            ("localhost:9100", "127.0.0.1:9100"),
            ("127.1.2.3:9100", "127.1.2.3:9100"),
            ("[::1]:9100", "[::1]:9100"),
        ] {
            assert_eq!(parse_loopback_address(text).unwrap(), address.parse().unwrap(), "{text}");
        }
    }

    #[test]
    fn other_addresses_are_refused_in_a_sentence() {
        for text in
            ["0.0.0.0:9100", "192.168.1.5:9100", "[::]:9100", "[2001:db8::1]:9100", "[::ffff:10.0.0.1]:1"]
        {
            let error = parse_loopback_address(text).unwrap_err();
            assert!(error.contains("is not a loopback address") && error.lines().count() == 1, "{error}");
        }
        for text in
            ["", "host", "127.0.0.1", "127.0.0.1:", "example.com:9100", "::1", "[::1]", "1:70000", "+1"]
        {
            assert!(parse_loopback_address(text).unwrap_err().contains("expected a port"), "{text}");
        }
    }

    #[test]
    fn health_checks_may_come_from_other_machines() {
        for (text, address) in
            [("8080", "127.0.0.1:8080"), ("0.0.0.0:8080", "0.0.0.0:8080"), ("[::]:0", "[::]:0")]
        {
            assert_eq!(parse_address(text).unwrap(), address.parse().unwrap(), "{text}");
        }
        for text in ["", "0.0.0.0", "example.com:8080", "1:70000"] {
            assert!(parse_address(text).unwrap_err().contains("0.0.0.0:8080"), "{text}");
        }
    }

    #[test]
    fn a_host_header_names_this_machine() {
        for host in ["localhost", "LOCALHOST:9100", "127.0.0.1", "127.0.0.1:9100", "[::1]", "[::1]:9100"] {
            assert!(is_loopback_host(host), "{host}");
        }
        for host in
            ["", ":9100", "evil.example", "evil.example:9100", "localhost.evil.example", "192.168.1.5:9100"]
        {
            assert!(!is_loopback_host(host), "{host}");
        }
    }
}
