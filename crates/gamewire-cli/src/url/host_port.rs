use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use gamewire_inspect::render::Escaped;
use thiserror::Error;

use crate::exit_status::Failure;

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostPort {
    host: Host,
    port: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    /// All addresses of this machine.
    Any,
    Address(IpAddr),
    Name(String),
}

impl HostPort {
    /// Parses the part after `scheme://` of a URL.
    pub(super) fn parse(scheme: &'static str, text: &str, default_port: u16) -> Result<Self, UrlError> {
        let (authority, rest) = text.split_at(text.find(['/', '?', '#']).unwrap_or(text.len()));
        if !matches!(rest, "" | "/") {
            return Err(UrlError::Rest { rest: rest.into() });
        }
        let (host, port) = split_port(authority)?;
        if host.is_empty() {
            return Err(UrlError::NoHost { scheme });
        }
        let port = port.map_or(Ok(default_port), |port| parse_port(port, 1))?;
        Ok(Self { host: Host::parse(host)?, port })
    }

    /// Parses the address of a server: a host and an optional port.
    pub(crate) fn parse_server(text: &str, default_port: u16) -> Result<Self, UrlError> {
        let (host, port) = split_port(text)?;
        let port = port.map_or(Ok(default_port), |port| parse_port(port, 1))?;
        Ok(Self { host: Host::parse(host)?, port })
    }

    /// Parses an address to listen on: a host, `:PORT` or both. Port 0 is any free port.
    pub(crate) fn parse_bind(text: &str, default_port: u16) -> Result<Self, UrlError> {
        let (host, port) = split_port(text)?;
        let host = if host.is_empty() { Host::Any } else { Host::parse(host)? };
        Ok(Self { host, port: port.map_or(Ok(default_port), |port| parse_port(port, 0))? })
    }

    /// Returns whether the host is a name, so that its address may change.
    pub(crate) const fn is_name(&self) -> bool {
        matches!(self.host, Host::Name(_))
    }

    /// Returns the name or the IP address, as a certificate has it; empty for all addresses of this machine.
    #[cfg(feature = "tls")]
    pub(crate) fn server_name(&self) -> String {
        match &self.host {
            Host::Any => String::new(),
            Host::Address(address) => address.to_string(),
            Host::Name(name) => name.clone(),
        }
    }

    /// Resolves the host. Returns at least one address, and each only once. The system's resolver may take some
    /// seconds.
    pub(crate) fn resolve(&self) -> Result<Vec<SocketAddr>, Failure> {
        let name = match &self.host {
            Host::Any => {
                let any: [IpAddr; 2] = [Ipv6Addr::UNSPECIFIED.into(), Ipv4Addr::UNSPECIFIED.into()];
                return Ok(any.map(|address| SocketAddr::new(address, self.port)).into());
            }
            Host::Address(address) => return Ok(vec![SocketAddr::new(*address, self.port)]),
            Host::Name(name) => name,
        };
        let advice = "check the name or use an IP address";
        let mut addresses: Vec<_> = match (name.as_str(), self.port).to_socket_addrs() {
            Ok(addresses) => addresses.collect(),
            Err(error) => {
                return Err(Failure::Failed(format!("cannot resolve {name}: {error}; {advice}")));
            }
        };
        addresses.sort();
        addresses.dedup();
        if addresses.is_empty() {
            return Err(Failure::Failed(format!("cannot resolve {name}: it has no address; {advice}")));
        }
        Ok(addresses)
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Any => write!(f, ":{}", self.port),
            Host::Address(address) => write!(f, "{}", SocketAddr::new(*address, self.port)),
            Host::Name(name) => write!(f, "{name}:{}", self.port),
        }
    }
}

/// Splits a host, with its brackets, and an optional port.
fn split_port(authority: &str) -> Result<(&str, Option<&str>), UrlError> {
    let brackets = || UrlError::Brackets { host: authority.into() };
    if authority.starts_with('[') {
        let end = authority.find(']').ok_or_else(brackets)?;
        let (host, after) = authority.split_at(end.saturating_add(1));
        return match after.strip_prefix(':') {
            Some(port) => Ok((host, Some(port))),
            None if after.is_empty() => Ok((host, None)),
            None => Err(brackets()),
        };
    }
    match authority.rsplit_once(':') {
        Some((host, _)) if host.contains(':') => Err(brackets()),
        Some((host, port)) => Ok((host, Some(port))),
        None => Ok((authority, None)),
    }
}

fn parse_port(port: &str, min: u16) -> Result<u16, UrlError> {
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let number = port.parse().ok().filter(|&number| is_number && number >= min);
    number.ok_or_else(|| UrlError::Port { port: port.into(), min })
}

impl Host {
    fn parse(host: &str) -> Result<Self, UrlError> {
        if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            let address = address.parse::<Ipv6Addr>();
            return address
                .map(|address| Self::Address(address.into()))
                .map_err(|_| UrlError::Brackets { host: host.into() });
        }
        if let Ok(address) = host.parse() {
            return Ok(Self::Address(address));
        }
        let is_of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        let is_of_an_address = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        if host.bytes().all(is_of_a_name) && !host.bytes().all(is_of_an_address) {
            Ok(Self::Name(host.into()))
        } else {
            Err(UrlError::Host { host: host.into() })
        }
    }
}

fn port_problem(port: &str) -> String {
    if port.is_empty() {
        "missing port after the colon".into()
    } else {
        format!("invalid port {}", safe(port))
    }
}

/// The reason why a text is not a server URL.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum UrlError {
    #[error("missing scheme: write teeworlds://{}", safe(text))]
    NoScheme { text: String },
    #[error("unknown scheme {}: use one of {}", safe(scheme), known.join(", "))]
    UnknownScheme { scheme: String, known: Vec<&'static str> },
    #[error("missing host: write {scheme}://HOST")]
    NoHost { scheme: &'static str },
    #[error("invalid host {}: use a host name or an IP address", safe(host))]
    Host { host: String },
    #[error("invalid IPv6 address {}: use brackets, [::1] or [::1]:8303", safe(host))]
    Brackets { host: String },
    #[error("{}: use a number from {min} to 65535", port_problem(port))]
    Port { port: String, min: u16 },
    #[error("unexpected {} after host and port; remove it", safe(rest))]
    Rest { rest: String },
    #[error(
        "unsupported protocol: only servers of Teeworlds and Freeciv can be queried; use gamewire join {url}"
    )]
    WrongProtocol { url: String },
}

fn safe(text: &str) -> Escaped<'_> {
    Escaped(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_to_listen_on_may_leave_out_the_host_or_the_port() {
        for (text, whole) in [
            ("127.0.0.1", "127.0.0.1:7777"),
            ("[::1]", "[::1]:7777"),
            ("[::1]:9", "[::1]:9"),
            ("localhost", "localhost:7777"),
            ("localhost:0", "localhost:0"),
            (":9000", ":9000"),
        ] {
            assert_eq!(HostPort::parse_bind(text, 7777).unwrap().to_string(), whole);
        }
        for text in ["::1", "localhost:", "localhost:70000", "a b", "127.0.0"] {
            assert!(HostPort::parse_bind(text, 7777).is_err(), "{text}");
        }
        let everywhere = HostPort::parse_bind(":9000", 7777).unwrap().resolve().unwrap();
        assert_eq!(everywhere, ["[::]:9000".parse().unwrap(), "0.0.0.0:9000".parse().unwrap()]);
    }
}
