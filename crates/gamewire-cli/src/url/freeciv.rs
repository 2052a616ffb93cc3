use std::fmt;

use super::host_port::HostPort;
use super::host_port::UrlError;

/// The default port.
pub(crate) const DEFAULT_PORT: u16 = 5556;

/// Every scheme. One version is built in, others need a definition.
pub(super) const SCHEMES: [&str; 2] = ["freeciv", "freeciv-3.0+tcp"];

/// A Freeciv server URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FreecivUrl {
    scheme: &'static str,
    pub(crate) place: HostPort,
}

impl FreecivUrl {
    pub(super) fn parse(scheme: &'static str, rest: &str) -> Result<Self, UrlError> {
        Ok(Self { scheme, place: HostPort::parse(scheme, rest, DEFAULT_PORT)? })
    }
}

impl fmt::Display for FreecivUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.place)
    }
}
