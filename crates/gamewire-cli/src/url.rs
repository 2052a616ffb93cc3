//! Server URLs.

mod help;
mod host_port;

pub(crate) use help::{FREECIV_HELP, INFO_HELP, JOIN_HELP, RIPTIDE_HELP, TEEWORLDS_HELP};
pub(crate) use host_port::HostPort;

use std::fmt;
use std::str::FromStr;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_machine::Transport;
use gamewire_riptide::Format;
use gamewire_teeworlds::{Dialect, Offer};

use self::host_port::UrlError;

/// A server URL of any protocol, such as `tw-0.7+udp://host:8303`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url {
    scheme: &'static str,
    pub(crate) protocol: UrlProtocol,
    pub(crate) host: HostPort,
}

/// The protocol of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UrlProtocol {
    /// The dialects to offer; `None` for any dialect of the server.
    Teeworlds(Option<Offer>),
    Riptide(Format, RiptideTransport),
    /// The only version to use; `None` to use the server's version.
    Freeciv(Option<ProtocolVersion>),
}

/// The transport of a Riptide URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RiptideTransport {
    Udp,
    /// Encrypted datagrams.
    EncryptedUdp,
    Tcp,
    /// Binary messages of a WebSocket, on a TCP stream.
    WebSocket,
    /// Binary messages of a WebSocket, on a TLS stream.
    SecureWebSocket,
}

impl RiptideTransport {
    /// Returns the transport of the socket; `None` for WebSockets and encrypted datagrams.
    pub(crate) const fn plain(self) -> Option<Transport> {
        match self {
            Self::Udp => Some(Transport::Udp),
            Self::Tcp => Some(Transport::Tcp),
            Self::WebSocket | Self::SecureWebSocket | Self::EncryptedUdp => None,
        }
    }
}

impl From<Transport> for RiptideTransport {
    fn from(transport: Transport) -> Self {
        match transport {
            Transport::Udp => Self::Udp,
            Transport::Tcp => Self::Tcp,
        }
    }
}

/// Default port of WebSockets, so that a server may have the default port for UDP and TCP.
pub(crate) const WEBSOCKET_PORT: u16 = 7778;
/// Default port of WebSockets over TLS.
pub(crate) const SECURE_WEBSOCKET_PORT: u16 = 7779;

impl UrlProtocol {
    const fn default_port(self) -> u16 {
        match self {
            Self::Teeworlds(_) => 8303,
            Self::Riptide(_, RiptideTransport::WebSocket) => WEBSOCKET_PORT,
            Self::Riptide(_, RiptideTransport::SecureWebSocket) => SECURE_WEBSOCKET_PORT,
            Self::Riptide(..) => 7777,
            Self::Freeciv(_) => 5556,
        }
    }
}

/// Every scheme and its meaning.
const SCHEMES: [(&str, UrlProtocol); 21] = [
    ("teeworlds", UrlProtocol::Teeworlds(None)),
    ("tw-0.6+udp", UrlProtocol::Teeworlds(Some(Offer::Any06))),
    ("tw-0.6-tken+udp", UrlProtocol::Teeworlds(Some(Offer::Only(Dialect::Tken)))),
    ("tw-0.6.4+udp", UrlProtocol::Teeworlds(Some(Offer::Only(Dialect::V06)))),
    ("tw-0.6.5+udp", UrlProtocol::Teeworlds(Some(Offer::Only(Dialect::V065)))),
    ("tw-0.7+udp", UrlProtocol::Teeworlds(Some(Offer::Only(Dialect::V07)))),
    ("riptide-2.1+udp", UrlProtocol::Riptide(Format::V21, RiptideTransport::Udp)),
    ("riptide-2.1+udps", UrlProtocol::Riptide(Format::V21, RiptideTransport::EncryptedUdp)),
    ("riptide-2.1+tcp", UrlProtocol::Riptide(Format::V21, RiptideTransport::Tcp)),
    ("riptide-2.1+ws", UrlProtocol::Riptide(Format::V21, RiptideTransport::WebSocket)),
    ("riptide-2.1+wss", UrlProtocol::Riptide(Format::V21, RiptideTransport::SecureWebSocket)),
    ("riptide-2.0+udp", UrlProtocol::Riptide(Format::V20, RiptideTransport::Udp)),
    ("riptide-2.0+udps", UrlProtocol::Riptide(Format::V20, RiptideTransport::EncryptedUdp)),
    ("riptide-2.0+tcp", UrlProtocol::Riptide(Format::V20, RiptideTransport::Tcp)),
    ("riptide-2.0+ws", UrlProtocol::Riptide(Format::V20, RiptideTransport::WebSocket)),
    ("riptide-2.0+wss", UrlProtocol::Riptide(Format::V20, RiptideTransport::SecureWebSocket)),
    ("riptide", UrlProtocol::Riptide(Format::V21, RiptideTransport::Udp)),
    ("freeciv", UrlProtocol::Freeciv(None)),
    ("freeciv-3.0+tcp", UrlProtocol::Freeciv(Some(ProtocolVersion::V3_0))),
    ("freeciv-3.1+tcp", UrlProtocol::Freeciv(Some(ProtocolVersion::V3_1))),
    ("freeciv-3.2+tcp", UrlProtocol::Freeciv(Some(ProtocolVersion::V3_2))),
];

impl Url {
    /// Parses the URL of a Teeworlds or Freeciv server. Only these can be queried.
    pub(crate) fn of_info(text: &str) -> Result<Self, UrlError> {
        let is_riptide = |protocol: &UrlProtocol| matches!(protocol, UrlProtocol::Riptide(..));
        match text.parse::<Self>() {
            Ok(url) if is_riptide(&url.protocol) => Err(UrlError::WrongProtocol { url: url.to_string() }),
            Err(UrlError::UnknownScheme { scheme, .. }) => {
                let known = SCHEMES.iter().filter(|(_, protocol)| !is_riptide(protocol));
                let known = known.map(|(scheme, _)| *scheme).collect();
                Err(UrlError::UnknownScheme { scheme, known })
            }
            parsed => parsed,
        }
    }

    /// Parses the URL of a game to listen for. The host is optional.
    pub(crate) fn of_listen(text: &str) -> Result<Self, UrlError> {
        let (scheme, protocol, rest) = Self::split(text)?;
        let host = HostPort::parse_bind(rest.strip_suffix('/').unwrap_or(rest), protocol.default_port())?;
        Ok(Self { scheme, protocol, host })
    }

    /// Returns the default port of the game's servers.
    pub(crate) const fn default_port(&self) -> u16 {
        self.protocol.default_port()
    }

    /// Returns the full scheme, its protocol, and the rest of the URL.
    fn split(text: &str) -> Result<(&'static str, UrlProtocol, &str), UrlError> {
        let Some((given, rest)) = text.split_once("://") else {
            let scheme = ["teeworlds", "riptide", "freeciv"].into_iter().find(|scheme| *scheme == text);
            return Err(match scheme {
                Some(scheme) => UrlError::NoHost { scheme },
                None => UrlError::NoScheme { text: text.into() },
            });
        };
        let Some((scheme, protocol)) = SCHEMES.iter().find(|(scheme, _)| scheme.eq_ignore_ascii_case(given))
        else {
            let known = SCHEMES.iter().map(|(scheme, _)| *scheme).collect();
            return Err(UrlError::UnknownScheme { scheme: given.into(), known });
        };
        // The full scheme names the version and the transport.
        let scheme = if *scheme == "riptide" { "riptide-2.1+udp" } else { scheme };
        Ok((scheme, *protocol, rest))
    }

    /// Returns the scheme of URLs for a protocol.
    pub(crate) fn scheme_of(protocol: UrlProtocol) -> &'static str {
        SCHEMES.iter().find(|(_, its)| *its == protocol).map_or("teeworlds", |(scheme, _)| scheme)
    }
}

impl FromStr for Url {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let (scheme, protocol, rest) = Self::split(text)?;
        let host = HostPort::parse(scheme, rest, protocol.default_port())?;
        Ok(Self { scheme, protocol, host })
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Option<Offer>, String) {
        let url: Url = text.parse().unwrap();
        let UrlProtocol::Teeworlds(offer) = url.protocol else { panic!("{url} is not of Teeworlds") };
        (offer, url.to_string())
    }

    fn refused(text: &str) -> String {
        text.parse::<Url>().unwrap_err().to_string()
    }

    #[test]
    fn every_scheme_names_its_offer() {
        for (text, offer) in [
            ("tw-0.6+udp://h:1", Some(Offer::Any06)),
            ("tw-0.6-tken+udp://h:1", Some(Offer::Only(Dialect::Tken))),
            ("tw-0.6.4+udp://h:1", Some(Offer::Only(Dialect::V06))),
            ("tw-0.6.5+udp://h:1", Some(Offer::Only(Dialect::V065))),
            ("tw-0.7+udp://h:1", Some(Offer::Only(Dialect::V07))),
            ("teeworlds://h:1", None),
        ] {
            assert_eq!(parsed(text), (offer, text.into()));
        }
        assert_eq!(parsed("TW-0.7+UDP://h:1").0, Some(Offer::Only(Dialect::V07)));
    }

    #[test]
    fn riptide_has_two_formats_and_five_transports() {
        for (text, format, transport, whole) in [
            ("riptide://h", Format::V21, RiptideTransport::Udp, "riptide-2.1+udp://h:7777"),
            ("riptide-2.1+udp://h", Format::V21, RiptideTransport::Udp, "riptide-2.1+udp://h:7777"),
            (
                "riptide-2.1+udps://h",
                Format::V21,
                RiptideTransport::EncryptedUdp,
                "riptide-2.1+udps://h:7777",
            ),
            ("riptide-2.1+tcp://h:1", Format::V21, RiptideTransport::Tcp, "riptide-2.1+tcp://h:1"),
            ("riptide-2.1+ws://h", Format::V21, RiptideTransport::WebSocket, "riptide-2.1+ws://h:7778"),
            (
                "riptide-2.1+wss://h",
                Format::V21,
                RiptideTransport::SecureWebSocket,
                "riptide-2.1+wss://h:7779",
            ),
            ("riptide-2.0+udp://[::1]", Format::V20, RiptideTransport::Udp, "riptide-2.0+udp://[::1]:7777"),
            ("riptide-2.0+tcp://h", Format::V20, RiptideTransport::Tcp, "riptide-2.0+tcp://h:7777"),
        ] {
            let url: Url = text.parse().unwrap();
            assert_eq!(url.protocol, UrlProtocol::Riptide(format, transport));
            assert_eq!(url.to_string(), whole);
        }
    }

    #[test]
    fn freeciv_has_a_version_or_any_and_a_port_of_its_own() {
        for (text, version, whole) in [
            ("freeciv://h", None, "freeciv://h:5556"),
            ("freeciv-3.0+tcp://h:5557/", Some(ProtocolVersion::V3_0), "freeciv-3.0+tcp://h:5557"),
            ("freeciv-3.1+tcp://h", Some(ProtocolVersion::V3_1), "freeciv-3.1+tcp://h:5556"),
            ("freeciv-3.2+tcp://h", Some(ProtocolVersion::V3_2), "freeciv-3.2+tcp://h:5556"),
            ("FREECIV://[::1]", None, "freeciv://[::1]:5556"),
        ] {
            let url: Url = text.parse().unwrap();
            assert_eq!((url.protocol, url.to_string().as_str()), (UrlProtocol::Freeciv(version), whole));
        }
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
            let url: Url = text.parse().unwrap();
            assert_eq!(url.host.resolve().unwrap(), [address.parse().unwrap()]);
        }
    }

    #[test]
    fn errors_name_a_correct_form() {
        for (text, error) in [
            ("localhost:8303", "missing scheme: write teeworlds://localhost:8303"),
            (
                "tw-0.8+udp://h",
                "unknown scheme tw-0.8+udp: use one of teeworlds, tw-0.6+udp, tw-0.6-tken+udp, tw-0.6.4+udp, tw-0.6.5+udp, \
                 tw-0.7+udp, \
                 riptide-2.1+udp, riptide-2.1+udps, riptide-2.1+tcp, riptide-2.1+ws, riptide-2.1+wss, \
                 riptide-2.0+udp, riptide-2.0+udps, riptide-2.0+tcp, riptide-2.0+ws, riptide-2.0+wss, riptide, \
                 freeciv, freeciv-3.0+tcp, freeciv-3.1+tcp, freeciv-3.2+tcp",
            ),
            ("teeworlds://", "missing host: write teeworlds://HOST"),
            ("tw-0.7+udp://:8303", "missing host: write tw-0.7+udp://HOST"),
            ("teeworlds://h:0", "invalid port 0: use a number from 1 to 65535"),
            ("teeworlds://h:65536", "invalid port 65536: use a number from 1 to 65535"),
            ("teeworlds://h:+1", "invalid port +1: use a number from 1 to 65535"),
            ("teeworlds://h:", "missing port after the colon: use a number from 1 to 65535"),
            ("teeworlds://::1", "invalid IPv6 address ::1: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://[::1", "invalid IPv6 address [::1: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://[h]", "invalid IPv6 address [h]: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://[::1]8303", "invalid IPv6 address [::1]8303: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://h/path", "unexpected /path after host and port; remove it"),
            ("teeworlds://me@h", "invalid host me@h: use a host name or an IP address"),
            ("teeworlds://192.0.2.256", "invalid host 192.0.2.256: use a host name or an IP address"),
            ("teeworlds://a\x1bb", r"invalid host a\x1bb: use a host name or an IP address"),
        ] {
            assert_eq!(refused(text), error, "{text}");
        }
    }
}
