use core::fmt;
use core::hash::{Hash, Hasher};
use std::net::SocketAddr;

use gamewire_machine::StreamId;

/// The format that a peer uses, as a value. `V20` and `V21` are the formats as types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Format {
    /// The byte format of 2.0.
    V20,
    /// The bit format of 2.1 and later.
    V21,
}

impl Format {
    /// Both formats.
    pub const ALL: [Self; 2] = [Self::V20, Self::V21];
}

/// Writes the number of the version: `2.0` or `2.1`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::V20 => "2.0",
            Self::V21 => "2.1",
        })
    }
}

/// Defines types of numbers.
macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $id:ident($number:ty);)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $id(pub $number);

        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<$number> for $id {
            fn from(number: $number) -> Self {
                Self(number)
            }
        }

        impl From<$id> for $number {
            fn from(id: $id) -> Self {
                id.0
            }
        }
    )+};
}

ids! {
    /// The id that a server gives to a client, from 1 on. It is free again after the client's disconnect.
    ClientId(u16);
    /// The server's number of a connection, accepted or not. It is never reused.
    ConnectionId(u64);
}

/// The address of a peer on any kind of transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Endpoint {
    /// A socket address, for datagrams.
    Udp(SocketAddr),
    /// A stream of bytes, for frames.
    Tcp(#[cfg_attr(feature = "serde", serde(with = "crate::serialize::stream_id"))] StreamId),
    /// A session of encrypted datagrams, by its connection id. It stays the same when the client's address changes.
    Record(u32),
    /// A peer on the application's own transport, by the number that the application chose.
    Other(u64),
}

/// Hashes an IPv4 address and its port as one number, because the server looks up every datagram.
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
            // Other transports have small numbers.
            Self::Record(session) => state.write_u64(1 << 63 | u64::from(*session)),
            Self::Other(number) => state.write_u64(*number),
        }
    }
}

/// Writes the transport and the address: `udp 192.0.2.1:7777`, `tcp #3`, `record 0000002a`, `other 5`.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(address) => write!(f, "udp {address}"),
            Self::Tcp(stream) => write!(f, "tcp {stream}"),
            Self::Record(session) => write!(f, "record {session:08x}"),
            Self::Other(number) => write!(f, "other {number}"),
        }
    }
}
