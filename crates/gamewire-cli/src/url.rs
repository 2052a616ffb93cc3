//! Where a game server is, as the command line says it: `tw-0.7+udp://host:8303`.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

use gamewire_inspect::render::Escaped;
use gamewire_teeworlds::Dialect;

use crate::end::Failure;

/// The port of a server that names none.
const DEFAULT_PORT: u16 = 8303;

/// Every scheme, and the dialect that it names.
const SCHEMES: [(&str, Option<Dialect>); 5] = [
    ("teeworlds", None),
    ("tw-0.6+udp", Some(Dialect::Tken)),
    ("tw-0.6.4+udp", Some(Dialect::V06)),
    ("tw-0.6.5+udp", Some(Dialect::V065)),
    ("tw-0.7+udp", Some(Dialect::V07)),
];

/// What the help of every verb with a URL says of them.
pub(crate) const URLS_HELP: &str = "\
URLs:
  teeworlds://HOST         any dialect: the server is asked
  tw-0.7+udp://HOST        0.7
  tw-0.6+udp://HOST        0.6; DDNet's tokens are offered, and done without where there are none
  tw-0.6.5+udp://HOST      0.6 with the tokens of 0.6.5
  tw-0.6.4+udp://HOST      0.6 without tokens
  HOST is a name, 192.0.2.1 or [2001:db8::1]; a port may follow, as in HOST:8304. It is 8303 if not.";

/// Where a server is, and how to speak with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameUrl {
    /// The dialect to speak or to offer; `None` is for whatever the server speaks.
    pub(crate) dialect: Option<Dialect>,
    host: Host,
    port: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Address(IpAddr),
    Name(String),
}

impl GameUrl {
    /// The scheme of URLs that name `dialect`.
    pub(crate) fn scheme(dialect: Option<Dialect>) -> &'static str {
        let named = SCHEMES.iter().find(|(_, its)| *its == dialect);
        named.map_or("teeworlds", |(scheme, _)| scheme)
    }

    /// The addresses that the host has: at least one, and each once. Asks the system's resolver if the host has a
    /// name, which may take some seconds.
    pub(crate) fn resolve(&self) -> Result<Vec<SocketAddr>, Failure> {
        let name = match &self.host {
            Host::Address(address) => return Ok(vec![SocketAddr::new(*address, self.port)]),
            Host::Name(name) => name,
        };
        let advice = "check the name, or give an IP address";
        let mut addresses: Vec<_> = match (name.as_str(), self.port).to_socket_addrs() {
            Ok(addresses) => addresses.collect(),
            Err(error) => {
                return Err(Failure::Failed(format!("cannot find the host {name}: {error}; {advice}")));
            }
        };
        addresses.sort();
        addresses.dedup();
        if addresses.is_empty() {
            return Err(Failure::Failed(format!("the host {name} has no address; {advice}")));
        }
        Ok(addresses)
    }
}

impl fmt::Display for GameUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dialect, host, port } = self;
        write!(f, "{}://", Self::scheme(*dialect))?;
        match host {
            Host::Address(address) => write!(f, "{}", SocketAddr::new(*address, *port)),
            Host::Name(name) => write!(f, "{name}:{port}"),
        }
    }
}

/// Why a text is no such URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UrlError {
    NoScheme { text: String },
    UnknownScheme { scheme: String },
    NoHost { scheme: &'static str },
    Host { host: String },
    Brackets { host: String },
    Port { port: String },
    Rest { rest: String },
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let safe = |text: &String| Escaped(text.as_bytes()).to_string();
        match self {
            Self::NoScheme { text } => {
                write!(f, "a URL begins with its scheme: write teeworlds://{}", safe(text))
            }
            Self::UnknownScheme { scheme } => {
                let known = SCHEMES.map(|(scheme, _)| scheme).join(", ");
                write!(f, "there is no scheme {}: use one of {known}", safe(scheme))
            }
            Self::NoHost { scheme } => write!(f, "the URL names no host: write {scheme}://HOST"),
            Self::Host { host } => {
                write!(f, "{} is neither a host name nor an IP address", safe(host))
            }
            Self::Brackets { host } => {
                write!(
                    f,
                    "an IPv6 address stands in brackets, [::1] or [::1]:8303, and not as {}",
                    safe(host)
                )
            }
            Self::Port { port } => write!(f, "a port is a number from 1 to 65535, and not {}", safe(port)),
            Self::Rest { rest } => write!(f, "nothing may follow host and port: leave out {}", safe(rest)),
        }
    }
}

impl std::error::Error for UrlError {}

impl FromStr for GameUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let Some((given, rest)) = text.split_once("://") else {
            return Err(UrlError::NoScheme { text: text.into() });
        };
        let known = SCHEMES.iter().find(|(scheme, _)| scheme.eq_ignore_ascii_case(given));
        let Some((scheme, dialect)) = known else {
            return Err(UrlError::UnknownScheme { scheme: given.into() });
        };
        let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        if !matches!(rest, "" | "/") {
            return Err(UrlError::Rest { rest: rest.into() });
        }
        let (host, port) = split_port(authority)?;
        if host.is_empty() {
            return Err(UrlError::NoHost { scheme });
        }
        Ok(Self {
            dialect: *dialect,
            host: Host::parse(host)?,
            port: port.map_or(Ok(DEFAULT_PORT), parse_port)?,
        })
    }
}

/// The host, with its brackets, and the port if there is one.
fn split_port(authority: &str) -> Result<(&str, Option<&str>), UrlError> {
    let brackets = || UrlError::Brackets { host: authority.into() };
    if authority.starts_with('[') {
        let end = authority.find(']').ok_or_else(brackets)?;
        let (host, behind) = authority.split_at(end.saturating_add(1));
        return match behind.strip_prefix(':') {
            Some(port) => Ok((host, Some(port))),
            None if behind.is_empty() => Ok((host, None)),
            None => Err(brackets()),
        };
    }
    match authority.rsplit_once(':') {
        Some((host, _)) if host.contains(':') => Err(brackets()),
        Some((host, port)) => Ok((host, Some(port))),
        None => Ok((authority, None)),
    }
}

fn parse_port(port: &str) -> Result<u16, UrlError> {
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let number = port.parse().ok().filter(|&number| is_number && number > 0);
    number.ok_or_else(|| UrlError::Port { port: port.into() })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Option<Dialect>, String) {
        let url: GameUrl = text.parse().unwrap();
        (url.dialect, url.to_string())
    }

    fn refused(text: &str) -> String {
        text.parse::<GameUrl>().unwrap_err().to_string()
    }

    #[test]
    fn every_scheme_names_its_dialect() {
        for (text, dialect) in [
            ("tw-0.6+udp://h:1", Some(Dialect::Tken)),
            ("tw-0.6.4+udp://h:1", Some(Dialect::V06)),
            ("tw-0.6.5+udp://h:1", Some(Dialect::V065)),
            ("tw-0.7+udp://h:1", Some(Dialect::V07)),
            ("teeworlds://h:1", None),
        ] {
            assert_eq!(parsed(text), (dialect, text.into()));
        }
        assert_eq!(parsed("TW-0.7+UDP://h:1").0, Some(Dialect::V07));
    }

    #[test]
    fn the_port_may_be_left_out_and_a_slash_may_end_it() {
        for text in ["teeworlds://example.org", "teeworlds://example.org/", "teeworlds://example.org:8303/"] {
            assert_eq!(parsed(text).1, "teeworlds://example.org:8303");
        }
    }

    #[test]
    fn addresses_of_both_families_need_no_resolver() {
        for (text, address) in [
            ("tw-0.7+udp://192.0.2.1", "192.0.2.1:8303"),
            ("tw-0.7+udp://[2001:db8::1]", "[2001:db8::1]:8303"),
            ("tw-0.7+udp://[::1]:9000", "[::1]:9000"),
        ] {
            let url: GameUrl = text.parse().unwrap();
            assert_eq!(url.resolve().unwrap(), [address.parse().unwrap()]);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        for (text, error) in [
            ("localhost:8303", "a URL begins with its scheme: write teeworlds://localhost:8303"),
            (
                "tw-0.8+udp://h",
                "there is no scheme tw-0.8+udp: use one of teeworlds, tw-0.6+udp, tw-0.6.4+udp, tw-0.6.5+udp, tw-0.7+udp",
            ),
            ("teeworlds://", "the URL names no host: write teeworlds://HOST"),
            ("tw-0.7+udp://:8303", "the URL names no host: write tw-0.7+udp://HOST"),
            ("teeworlds://h:0", "a port is a number from 1 to 65535, and not 0"),
            ("teeworlds://h:65536", "a port is a number from 1 to 65535, and not 65536"),
            ("teeworlds://h:+1", "a port is a number from 1 to 65535, and not +1"),
            ("teeworlds://h:", "a port is a number from 1 to 65535, and not "),
            ("teeworlds://::1", "an IPv6 address stands in brackets, [::1] or [::1]:8303, and not as ::1"),
            ("teeworlds://[::1", "an IPv6 address stands in brackets, [::1] or [::1]:8303, and not as [::1"),
            ("teeworlds://[h]", "an IPv6 address stands in brackets, [::1] or [::1]:8303, and not as [h]"),
            (
                "teeworlds://[::1]8303",
                "an IPv6 address stands in brackets, [::1] or [::1]:8303, and not as [::1]8303",
            ),
            ("teeworlds://h/path", "nothing may follow host and port: leave out /path"),
            ("teeworlds://me@h", "me@h is neither a host name nor an IP address"),
            ("teeworlds://192.0.2.256", "192.0.2.256 is neither a host name nor an IP address"),
            ("teeworlds://a\x1bb", r"a\x1bb is neither a host name nor an IP address"),
        ] {
            assert_eq!(refused(text), error, "{text}");
        }
    }
}
