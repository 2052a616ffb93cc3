//! The packets of the layer, version 1. Numbers are little-endian.
//!
//! | packet | from | content |
//! |---|---|---|
//! | Request, `1f` | client | version 1, nonce (8), zeros up to 64 bytes |
//! | Retry, `2f` | server | nonce (8), cookie (16) |
//! | Initiation, `3f` | client | version 1, nonce (8), cookie (16), first Noise message (48), token (0 to 255) |
//! | Response, `4f` | server | nonce (8), second Noise message (52) |
//! | Record, `5f` | both | connection id (4), counter (6), encrypted packet, tag (16) |
//! | Control record, `6f` | both | connection id (4), counter (6), encrypted control message, tag (16) |
//!
//! The Noise handshake is `Noise_NNpsk0_25519_ChaChaPoly_SHA256` with the prologue `gamewire-records 1`. The first message
//! has an empty payload, the second has the connection id. The pre-shared key is the HMAC-SHA256 of
//! `gamewire-records token` and the token, with the server's key. `Split` returns two keys: the first one encrypts the
//! records of the client, the second one the records of the server, with ChaCha20-Poly1305. The nonce is the counter, as in
//! Noise, and the first 11 bytes of the record are associated data.
//!
//! A control message is `01` and 8 bytes (a challenge of an address), `02` and the same 8 bytes (its answer), or `03` with
//! the client's new address: `04` or `06`, the 4 or 16 bytes of the address, and the port (2).
//!
//! No packet of Riptide begins with these bytes, so a socket can receive both.

use crate::RecordError;
use crate::noise::{FIRST_BYTES, SECOND_BYTES};

/// The version in requests and initiations.
pub const VERSION: u8 = 1;
/// Bytes of a request. It is longer than the reply, so that a forged sender receives less than the attacker sent.
pub const REQUEST_BYTES: usize = 64;
/// Bytes of the nonce of a handshake, which its replies repeat.
pub const NONCE_BYTES: usize = 8;
/// Bytes of a cookie.
pub const COOKIE_BYTES: usize = 16;
/// Bytes of a connection id.
pub const CONNECTION_ID_BYTES: usize = 4;
/// Bytes of a counter.
pub const COUNTER_BYTES: usize = 6;
/// Bytes before the encrypted part of a record.
pub const HEADER_BYTES: usize = 11;
/// Bytes that a record adds to its packet: the header, and a tag of 16 bytes.
pub const OVERHEAD_BYTES: usize = 27;
/// Maximum bytes of a packet in a record, so that the record fits into a datagram.
pub const MAX_PACKET_BYTES: usize = 65_507 - OVERHEAD_BYTES;
/// Maximum counter of a record.
pub const MAX_COUNTER: u64 = (1 << 48) - 1;
/// The prologue of the Noise handshake.
pub const PROLOGUE: &[u8] = b"gamewire-records 1";

pub(crate) const REQUEST: u8 = 0x1f;
pub(crate) const RETRY: u8 = 0x2f;
pub(crate) const INITIATION: u8 = 0x3f;
pub(crate) const RESPONSE: u8 = 0x4f;
pub(crate) const DATA: u8 = 0x5f;
pub(crate) const CONTROL: u8 = 0x6f;

/// Returns whether a datagram begins like a packet of this layer.
pub fn is_packet(datagram: &[u8]) -> bool {
    matches!(datagram.first(), Some(&(REQUEST | RETRY | INITIATION | RESPONSE | DATA | CONTROL)))
}

/// A parsed packet. Its encrypted parts are not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// The first packet of a client.
    Request {
        /// The client's number of the handshake.
        nonce: [u8; NONCE_BYTES],
    },
    /// The server's reply to a request, without memory.
    Retry {
        /// The nonce of the request.
        nonce: [u8; NONCE_BYTES],
        /// The cookie for the initiation.
        cookie: [u8; COOKIE_BYTES],
    },
    /// The first message of the Noise handshake.
    Initiation {
        /// The nonce of the request.
        nonce: [u8; NONCE_BYTES],
        /// The cookie of the retry.
        cookie: [u8; COOKIE_BYTES],
        /// The Noise message.
        handshake: &'a [u8; FIRST_BYTES],
        /// The client's token.
        token: &'a [u8],
    },
    /// The second message of the Noise handshake.
    Response {
        /// The nonce of the initiation.
        nonce: [u8; NONCE_BYTES],
        /// The Noise message.
        handshake: &'a [u8; SECOND_BYTES],
    },
    /// A record.
    Record(Header),
}

/// The header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// True for a control record.
    pub is_control: bool,
    /// The connection id.
    pub session: u32,
    /// The counter.
    pub counter: u64,
}

impl<'a> Packet<'a> {
    /// Parses a datagram.
    ///
    /// # Errors
    /// [`RecordError::NotARecord`], [`RecordError::Malformed`] or [`RecordError::UnsupportedVersion`].
    pub fn parse(datagram: &'a [u8]) -> Result<Self, RecordError> {
        let (kind, rest) = datagram.split_first().ok_or(RecordError::NotARecord)?;
        match *kind {
            REQUEST if datagram.len() == REQUEST_BYTES => {
                let (nonce, _) = chunk(version(rest)?)?;
                Ok(Self::Request { nonce: *nonce })
            }
            RETRY => {
                let (nonce, rest) = chunk(rest)?;
                Ok(Self::Retry { nonce: *nonce, cookie: *exact(rest)? })
            }
            INITIATION => {
                let (nonce, rest) = chunk(version(rest)?)?;
                let (cookie, rest) = chunk(rest)?;
                let (handshake, token) = chunk(rest)?;
                if token.len() > crate::MAX_TOKEN_BYTES {
                    return Err(RecordError::Malformed);
                }
                Ok(Self::Initiation { nonce: *nonce, cookie: *cookie, handshake, token })
            }
            RESPONSE => {
                let (nonce, rest) = chunk(rest)?;
                Ok(Self::Response { nonce: *nonce, handshake: exact(rest)? })
            }
            DATA | CONTROL if datagram.len() >= OVERHEAD_BYTES => {
                let (session, rest) = chunk(rest)?;
                let ([a, b, c, d, e, f], _) = chunk::<COUNTER_BYTES>(rest)?;
                let counter = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, 0, 0]);
                let session = u32::from_le_bytes(*session);
                Ok(Self::Record(Header { is_control: *kind == CONTROL, session, counter }))
            }
            REQUEST | DATA | CONTROL => Err(RecordError::Malformed),
            _ => Err(RecordError::NotARecord),
        }
    }

    /// Replaces the content of `buffer` with a packet of the handshake, or with the header of a record.
    pub fn write(&self, buffer: &mut Vec<u8>) {
        buffer.clear();
        match self {
            Self::Request { nonce } => {
                buffer.extend_from_slice(&[REQUEST, VERSION]);
                buffer.extend_from_slice(nonce);
                buffer.resize(REQUEST_BYTES, 0);
            }
            Self::Retry { nonce, cookie } => {
                buffer.push(RETRY);
                buffer.extend_from_slice(nonce);
                buffer.extend_from_slice(cookie);
            }
            Self::Initiation { nonce, cookie, handshake, token } => {
                buffer.extend_from_slice(&[INITIATION, VERSION]);
                buffer.extend_from_slice(nonce);
                buffer.extend_from_slice(cookie);
                buffer.extend_from_slice(*handshake);
                buffer.extend_from_slice(token);
            }
            Self::Response { nonce, handshake } => {
                buffer.push(RESPONSE);
                buffer.extend_from_slice(nonce);
                buffer.extend_from_slice(*handshake);
            }
            Self::Record(Header { is_control, session, counter }) => {
                buffer.push(if *is_control { CONTROL } else { DATA });
                buffer.extend_from_slice(&session.to_le_bytes());
                let [counter @ .., _, _] = counter.to_le_bytes();
                buffer.extend_from_slice(&counter);
            }
        }
    }
}

/// Splits the version from the rest.
fn version(data: &[u8]) -> Result<&[u8], RecordError> {
    match data.split_first().ok_or(RecordError::Malformed)? {
        (&VERSION, rest) => Ok(rest),
        (version, _) => Err(RecordError::UnsupportedVersion(*version)),
    }
}

fn chunk<const N: usize>(data: &[u8]) -> Result<(&[u8; N], &[u8]), RecordError> {
    data.split_first_chunk().ok_or(RecordError::Malformed)
}

fn exact<const N: usize>(data: &[u8]) -> Result<&[u8; N], RecordError> {
    data.try_into().map_err(|_| RecordError::Malformed)
}
