use core::fmt;
use core::hash::{Hash, Hasher};
use std::net::SocketAddr;

use gamewire_machine::StreamId;

/// Where packets go to and come from, on whichever transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endpoint {
    /// An address, in datagrams.
    Udp(SocketAddr),
    /// A stream of bytes, in frames.
    Tcp(StreamId),
    /// A transport of the application's own, which has given this number.
    Other(u64),
}

impl Endpoint {
    /// Whether both are the same. Those of IPv4, which most are, are compared as numbers, not byte by
    /// byte.
    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Udp(SocketAddr::V4(one)), Self::Udp(SocketAddr::V4(other))) => {
                one.ip().to_bits() == other.ip().to_bits() && one.port() == other.port()
            }
            _ => self == other,
        }
    }
}

/// In one piece, or two: a hash is made of each datagram's.
impl Hash for Endpoint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Udp(SocketAddr::V4(address)) => {
                state.write_u64(u64::from(address.ip().to_bits()) << 16 | u64::from(address.port()));
            }
            Self::Udp(SocketAddr::V6(address)) => {
                state.write_u128(address.ip().to_bits());
                state.write_u16(address.port());
            }
            Self::Tcp(stream) => stream.hash(state),
            Self::Other(number) => state.write_u64(*number),
        }
    }
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
