use gamewire_wire::Reader;

use super::packet::decode_message;
use crate::handshake::decode::Unconnected;
use crate::link::PacketError;
use crate::shared::data::Token;
use crate::v07::wire::control::{Control, ControlMessage};
use crate::{v06, v07};

/// A decoded datagram of a server to a browser.
pub(super) enum Response<'a> {
    /// The answer in plain 0.6.
    Plain(v06::wire::connless::Info<'a>),
    /// The first datagram of the extended format.
    Extended(v06::wire::connless::InfoExtended<'a>),
    /// Another datagram of the extended format.
    ExtendedMore(v06::wire::connless::InfoExtendedMore<'a>),
    /// The token of a server of 0.7.
    Token { ours: Token, theirs: Token },
    /// The answer in 0.7.
    V07 { ours: Token, info: v07::wire::connless::Info<'a> },
}

impl<'a> Response<'a> {
    pub(super) fn decode(datagram: &'a [u8]) -> Result<Self, PacketError> {
        match Unconnected::decode(datagram)? {
            Unconnected::Browse06(_, payload) => {
                use v06::wire::connless::Connless;
                match decode_message(payload)? {
                    Some(Connless::Info(info)) => Ok(Self::Plain(info)),
                    Some(Connless::InfoExtended(info)) => Ok(Self::Extended(info)),
                    Some(Connless::InfoExtendedMore(more)) => Ok(Self::ExtendedMore(more)),
                    _ => Err(OTHER),
                }
            }
            Unconnected::Browse07(header, payload) => match decode_message(payload)? {
                Some(v07::wire::connless::Connless::Info(info)) => Ok(Self::V07 { ours: header.token, info }),
                _ => Err(OTHER),
            },
            Unconnected::Control07(ours, payload) => match Control::decode(Reader::new(payload), &mut ())? {
                Control::Known(ControlMessage::TokenExchange(exchange)) => {
                    Ok(Self::Token { ours, theirs: exchange.token })
                }
                _ => Err(OTHER),
            },
            Unconnected::Control06(..) | Unconnected::Chunks06(..) => Err(OTHER),
        }
    }
}

const OTHER: PacketError = PacketError::Unexpected("neither server info nor a token");
