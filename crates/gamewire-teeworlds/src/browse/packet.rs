//! The datagrams of the server browser: requests, responses, and the messages after their headers.

use gamewire_wire::{CodecError, Found, Reader, Result, Writer};

use crate::handshake::InfoQuery;
use crate::handshake::decode::Unconnected;
use crate::link::PacketError;
use crate::shared::connless::PREFIX;
use crate::shared::data::Token;
use crate::shared::definition::MessageSet;
use crate::shared::pack::{FifthByte, Unpacker};
use crate::v06::packet::ConnlessHeader as Header06;
use crate::v07::control::{Control, ControlMessage};
use crate::v07::packet::ConnlessHeader as Header07;
use crate::{v06, v07};

/// Decodes the browsing message in `payload`, or returns `None` if it is unknown.
pub(super) fn decode_message<'a, M: MessageSet<'a, Id = &'a [u8; 4]>>(
    payload: &'a [u8],
) -> Result<Option<M>> {
    let mut from = Reader::new(payload);
    let prefix = from.array::<4>("four bytes ff")?;
    if prefix != PREFIX {
        return Err(CodecError::new(0, "four bytes ff", Found::Value(prefix[0].into())));
    }
    let Some(letters) = from.take(4, "four letters")?.first_chunk() else { return Ok(None) };
    M::decode(letters, &mut Unpacker::new(from, FifthByte::Teeworlds), &mut ())
}

/// Writes a browsing message after its header.
pub(super) fn encode_message<'a, M: MessageSet<'a, Id = &'a [u8; 4]>>(
    message: &M,
    to: &mut Writer<'_>,
) -> Result<()> {
    to.bytes(&PREFIX)?;
    to.bytes(message.id())?;
    message.encode(to)
}

/// A server info request, with the tokens for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoRequest {
    /// Plain 0.6.
    Plain {
        /// The token of the answer.
        token: u8,
    },
    /// The extended format of DDNet.
    Extended {
        /// The token of the answer: 24 bits.
        token: u32,
    },
    /// 0.7.
    V07 {
        /// The header of the answer.
        answer: Header07,
        /// The token of the answer.
        token: i32,
    },
}

impl InfoRequest {
    /// Decodes a query that an [`Acceptor`](crate::handshake::Acceptor) accepted.
    ///
    /// # Errors
    /// [`PacketError`] if it is not a server info request.
    pub fn decode(query: &InfoQuery<'_>) -> Result<Self, PacketError> {
        match *query {
            InfoQuery::V06 { header, payload } => {
                let Some(v06::connless::Connless::RequestInfo(request)) = decode_message(payload)? else {
                    return Err(NOT_A_REQUEST);
                };
                Ok(match header {
                    Header06::Plain(_) => Self::Plain { token: request.token.0 },
                    Header06::Extended { extra_token, .. } => {
                        Self::Extended { token: u32::from(extra_token) << 8 | u32::from(request.token.0) }
                    }
                })
            }
            InfoQuery::V07 { answer, payload } => {
                let Some(v07::connless::Connless::RequestInfo(request)) = decode_message(payload)? else {
                    return Err(NOT_A_REQUEST);
                };
                Ok(Self::V07 { answer, token: request.token })
            }
        }
    }
}

const NOT_A_REQUEST: PacketError = PacketError::Unexpected("not a server info request");

/// A decoded datagram of a server to a browser.
pub(super) enum Response<'a> {
    /// The answer in plain 0.6.
    Plain(v06::connless::Info<'a>),
    /// The first datagram of the extended format.
    Extended(v06::connless::InfoExtended<'a>),
    /// Another datagram of the extended format.
    ExtendedMore(v06::connless::InfoExtendedMore<'a>),
    /// The token of a server of 0.7.
    Token { ours: Token, theirs: Token },
    /// The answer in 0.7.
    V07 { ours: Token, info: v07::connless::Info<'a> },
}

impl<'a> Response<'a> {
    pub(super) fn decode(datagram: &'a [u8]) -> Result<Self, PacketError> {
        match Unconnected::decode(datagram)? {
            Unconnected::Browse06(_, payload) => {
                use v06::connless::Connless;
                match decode_message(payload)? {
                    Some(Connless::Info(info)) => Ok(Self::Plain(info)),
                    Some(Connless::InfoExtended(info)) => Ok(Self::Extended(info)),
                    Some(Connless::InfoExtendedMore(more)) => Ok(Self::ExtendedMore(more)),
                    _ => Err(NOT_A_RESPONSE),
                }
            }
            Unconnected::Browse07(header, payload) => match decode_message(payload)? {
                Some(v07::connless::Connless::Info(info)) => Ok(Self::V07 { ours: header.token, info }),
                _ => Err(NOT_A_RESPONSE),
            },
            Unconnected::Control07(ours, payload) => match Control::decode(Reader::new(payload), &mut ())? {
                Control::Known(ControlMessage::TokenExchange(exchange)) => {
                    Ok(Self::Token { ours, theirs: exchange.token })
                }
                _ => Err(NOT_A_RESPONSE),
            },
            Unconnected::Control06(..) | Unconnected::Chunks06(..) => Err(NOT_A_RESPONSE),
        }
    }
}

const NOT_A_RESPONSE: PacketError = PacketError::Unexpected("neither server info nor a token");
