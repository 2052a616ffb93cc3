//! Datagrams outside of a connection, as handshakes decode them.

use gamewire_wire::{CodecError, Found};

use crate::link::PacketError;
use crate::shared::data::Token;
use crate::shared::packet::Header;
use crate::v06::packet as packet06;
use crate::v07::packet as packet07;

/// The bit of a connless packet in the first byte, in all versions.
const CONNLESS: u8 = 0x20;
/// The two lowest bits of a connless packet of 0.7.
const CONNLESS_07: u8 = 0x01;
/// The bit of a control packet of 0.7 in the first byte. It is 0 in 0.6.
const CONTROL_07: u8 = 0x04;

/// A datagram, classified by its first byte as DDNet does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unconnected<'d> {
    /// A browsing message of 0.6, with or without DDNet's extension.
    Browse06(packet06::ConnlessHeader, &'d [u8]),
    /// A browsing message of 0.7.
    Browse07(packet07::ConnlessHeader, &'d [u8]),
    /// A control packet of 0.6, 0.6.5 or DDNet; its payload is not empty.
    Control06(Header, &'d [u8]),
    /// A control packet of 0.7; its payload is not empty.
    Control07(Token, &'d [u8]),
    /// Chunks of 0.6, 0.6.5 or DDNet. Chunks of 0.7 look the same, but open no connection.
    Chunks06(Header, &'d [u8]),
}

impl<'d> Unconnected<'d> {
    /// Decodes the header of `datagram`.
    pub(crate) fn decode(datagram: &'d [u8]) -> Result<Self, PacketError> {
        let Some(&first) = datagram.first() else {
            return Err(CodecError::new(0, "a header of 3 bytes", Found::End).in_packet("packet").into());
        };
        let is_07 = if first & CONNLESS == 0 { first & CONTROL_07 != 0 } else { first & 0x03 == CONNLESS_07 };
        if is_07 { Self::decode_07(datagram) } else { Self::decode_06(datagram) }
    }

    fn decode_06(datagram: &'d [u8]) -> Result<Self, PacketError> {
        match packet06::parse(datagram, &mut ())? {
            packet06::Packet::Connless { header, payload } => Ok(Self::Browse06(header, payload.remaining())),
            packet06::Packet::Connected { header, payload } if header.control => {
                Ok(Self::Control06(header, control(&header, payload.remaining())?))
            }
            packet06::Packet::Connected { header, payload } => {
                Ok(Self::Chunks06(header, payload.remaining()))
            }
        }
    }

    fn decode_07(datagram: &'d [u8]) -> Result<Self, PacketError> {
        match packet07::parse(datagram, &mut ())? {
            packet07::Packet::Connless { header, payload } => Ok(Self::Browse07(header, payload.remaining())),
            packet07::Packet::Connected { header, payload } => {
                let token = header.token.unwrap_or(Token::NONE);
                Ok(Self::Control07(token, control(&header, payload.remaining())?))
            }
        }
    }
}

/// Returns the payload of a valid control packet. 0.6.5 reads a packet without an id as a repetition of the last
/// datagram. If a control packet announces chunks, 0.6.5 reads them. Both are invalid here.
fn control<'d>(header: &Header, payload: &'d [u8]) -> Result<&'d [u8], PacketError> {
    match (header, payload) {
        (_, []) => Err(PacketError::Malformed(
            CodecError::new(3, "the id of a control message", Found::End).in_packet("control"),
        )),
        (Header { compressed: true, .. }, _) => Err(PacketError::Unexpected("compressed control packet")),
        (Header { chunks: 1.., .. }, _) => Err(PacketError::Unexpected("control packet with chunks")),
        _ => Ok(payload),
    }
}

/// Returns the token at the start of `bytes`, most significant byte first.
pub(super) fn token(bytes: &[u8]) -> Option<Token> {
    bytes.first_chunk().map(|bytes| Token(u32::from_be_bytes(*bytes)))
}
