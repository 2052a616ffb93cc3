use super::packet::decode_message;
use crate::handshake::InfoQuery;
use crate::link::PacketError;
use crate::v06::wire::packet::ConnlessHeader as Header06;
use crate::v07::wire::packet::ConnlessHeader as Header07;
use crate::{v06, v07};

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
                use v06::wire::connless::Connless;
                let Some(Connless::RequestInfo(request)) = decode_message(payload)? else {
                    return Err(OTHER);
                };
                Ok(match header {
                    Header06::Plain(_) => Self::Plain { token: request.token.0 },
                    Header06::Extended { extra_token, .. } => {
                        Self::Extended { token: u32::from(extra_token) << 8 | u32::from(request.token.0) }
                    }
                })
            }
            InfoQuery::V07 { answer, payload } => {
                use v07::wire::connless::Connless;
                let Some(Connless::RequestInfo(request)) = decode_message(payload)? else {
                    return Err(OTHER);
                };
                Ok(Self::V07 { answer, token: request.token })
            }
        }
    }
}

const OTHER: PacketError = PacketError::Unexpected("not a server info request");
