//! What servers say to a browser, taken apart.

use super::Reject;
use super::packet::{Connless, connless, message};
use crate::shared::data::Token;
use crate::shared::packet::{Header, Packet};
use crate::{v06, v07};

/// A datagram to a browser.
pub(super) enum Heard<'a> {
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

impl<'a> Heard<'a> {
    pub(super) fn parse(datagram: &'a [u8]) -> Result<Self, Reject> {
        match connless(datagram)? {
            None => token(datagram),
            Some(Connless::V06 { payload, .. }) => {
                use v06::wire::connless::Connless;
                match message(payload)? {
                    Some(Connless::Info(info)) => Ok(Self::Plain(info)),
                    Some(Connless::InfoExtended(info)) => Ok(Self::Extended(info)),
                    Some(Connless::InfoExtendedMore(more)) => Ok(Self::More(more)),
                    _ => Err(Reject::Unexpected("another browsing message")),
                }
            }
            Some(Connless::V07 { header, payload }) => match message(payload)? {
                Some(v07::wire::connless::Connless::Info(info)) => Ok(Self::V07 { ours: header.token, info }),
                _ => Err(Reject::Unexpected("another browsing message")),
            },
        }
    }
}

/// A server of 0.7 hands out a token; the only packet of a connection that is read here.
fn token(datagram: &[u8]) -> Result<Heard<'_>, Reject> {
    use v07::wire::control::{Control, ControlMessage};
    let unexpected = Reject::Unexpected("a packet of a connection");
    let packet = v07::wire::packet::parse(datagram, &mut ())?;
    let Packet::Connected { header: Header { control: true, compressed: false, token, .. }, payload } =
        packet
    else {
        return Err(unexpected);
    };
    match Control::decode(payload, &mut ())? {
        Control::Known(ControlMessage::TokenExchange(exchange)) => {
            Ok(Heard::Token { ours: token.unwrap_or(Token::NONE), theirs: exchange.token })
        }
        _ => Err(unexpected),
    }
}
