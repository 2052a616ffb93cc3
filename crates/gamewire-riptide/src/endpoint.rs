use core::fmt;
use std::net::SocketAddr;

use gamewire_machine::StreamId;

/// Where packets go to and come from, on whichever transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Endpoint {
    /// An address, in datagrams.
    Udp(SocketAddr),
    /// A stream of bytes, in frames.
    Tcp(StreamId),
    /// A transport of the application's own, which has given this number.
    Other(u64),
}

/// `udp 192.0.2.1:7777`, `tcp #3`, `other 5`.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(address) => write!(f, "udp {address}"),
            Self::Tcp(stream) => write!(f, "tcp {stream}"),
            Self::Other(number) => write!(f, "other {number}"),
        }
    }
}
