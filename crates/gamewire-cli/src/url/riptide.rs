use std::fmt;

use gamewire_riptide::Format;

use super::host_port::HostPort;
use super::host_port::UrlError;

/// The default port, that of the original's examples.
pub(crate) const DEFAULT_PORT: u16 = 7777;

/// The transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UrlTransport {
    Udp,
    Tcp,
}

/// Every scheme and its meaning. The first match is used to format a URL.
pub(super) const SCHEMES: [(&str, Format, UrlTransport); 5] = [
    ("riptide-2.1+udp", Format::V21, UrlTransport::Udp),
    ("riptide-2.1+tcp", Format::V21, UrlTransport::Tcp),
    ("riptide-2.0+udp", Format::V20, UrlTransport::Udp),
    ("riptide-2.0+tcp", Format::V20, UrlTransport::Tcp),
    ("riptide", Format::V21, UrlTransport::Udp),
];

/// A Riptide server URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RiptideUrl {
    pub(crate) format: Format,
    pub(crate) transport: UrlTransport,
    pub(crate) host: HostPort,
}

impl RiptideUrl {
    pub(super) fn parse(
        (scheme, format, transport): (&'static str, Format, UrlTransport),
        rest: &str,
    ) -> Result<Self, UrlError> {
        Ok(Self { format, transport, host: HostPort::parse(scheme, rest, DEFAULT_PORT)? })
    }
}

impl fmt::Display for RiptideUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = SCHEMES
            .iter()
            .find(|(_, format, transport)| (*format, *transport) == (self.format, self.transport));
        write!(f, "{}://{}", named.map_or("riptide", |(scheme, ..)| scheme), self.host)
    }
}
