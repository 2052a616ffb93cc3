use std::fmt;

use gamewire_teeworlds::Dialect;

use super::host_port::HostPort;
use super::host_port::UrlError;

/// The default port.
const DEFAULT_PORT: u16 = 8303;

/// Every scheme and its dialect.
pub(super) const SCHEMES: [(&str, Option<Dialect>); 5] = [
    ("teeworlds", None),
    ("tw-0.6+udp", Some(Dialect::Tken)),
    ("tw-0.6.4+udp", Some(Dialect::V06)),
    ("tw-0.6.5+udp", Some(Dialect::V065)),
    ("tw-0.7+udp", Some(Dialect::V07)),
];

/// Every scheme of Teeworlds.
pub(super) fn schemes() -> impl Iterator<Item = &'static str> {
    SCHEMES.iter().map(|(scheme, _)| *scheme)
}

/// A Teeworlds server URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TeeworldsUrl {
    /// The dialect to speak or to offer; `None` for any dialect of the server.
    pub(crate) dialect: Option<Dialect>,
    pub(crate) place: HostPort,
}

impl TeeworldsUrl {
    /// Returns the scheme of URLs for `dialect`.
    pub(crate) fn scheme(dialect: Option<Dialect>) -> &'static str {
        let named = SCHEMES.iter().find(|(_, its)| *its == dialect);
        named.map_or("teeworlds", |(scheme, _)| scheme)
    }

    pub(super) fn parse(
        scheme: &'static str,
        dialect: Option<Dialect>,
        rest: &str,
    ) -> Result<Self, UrlError> {
        Ok(Self { dialect, place: HostPort::parse(scheme, rest, DEFAULT_PORT)? })
    }
}

impl fmt::Display for TeeworldsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", Self::scheme(self.dialect), self.place)
    }
}
