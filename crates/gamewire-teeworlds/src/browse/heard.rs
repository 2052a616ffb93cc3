//! What servers say to a browser, taken apart.

use gamewire_wire::Reader;

use super::packet::message;
use crate::handshake::read::Unconnected;
use crate::link::PacketError;
use crate::shared::data::Token;
use crate::v07::wire::control::{Control, ControlMessage};
use crate::{v06, v07};

/// A datagram to a browser.
pub(super) enum Response<'a> {
    /// An answer in plain 0.6.
    Plain(v06::wire::connless::Info<'a>),
    /// The first of the answers in the extended form.
    Extended(v06::wire::connless::InfoExtended<'a>),
    /// Another one of these.
    More(v06::wire::connless::InfoExtendedMore<'a>),
    /// A server of 0.7 hands out a token.
    Token { ours: Token, theirs: Token },
    /// An answer in 0.7.
    V07 { ours: Token, info: v07::wire::connless::Info<'a> },
}

impl<'a> Response<'a> {
    pub(super) fn parse(datagram: &'a [u8]) -> Result<Self, PacketError> {
        match Unconnected::read(datagram)? {
            Unconnected::Browse06(_, payload) => {
                use v06::wire::connless::Connless;
                match message(payload)? {
                    Some(Connless::Info(info)) => Ok(Self::Plain(info)),
                    Some(Connless::InfoExtended(info)) => Ok(Self::Extended(info)),
                    Some(Connless::InfoExtendedMore(more)) => Ok(Self::More(more)),
                    _ => Err(OTHER),
                }
            }
            Unconnected::Browse07(header, payload) => match message(payload)? {
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

const OTHER: PacketError = PacketError::Unexpected("neither a server's information nor a token");
