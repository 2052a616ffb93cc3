//! Questions of clients, as a server reads them.

use super::packet::message;
use crate::handshake::InfoQuery;
use crate::link::PacketError;
use crate::v06::wire::packet::ConnlessHeader as Header06;
use crate::v07::wire::packet::ConnlessHeader as Header07;
use crate::{v06, v07};

/// Somebody asks a server what it is, and how the answer is to find back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoRequest {
    /// In plain 0.6.
    Plain {
        /// Comes back in the answer.
        token: u8,
    },
    /// In DDNet's extended form.
    Extended {
        /// Comes back in the answer; 24 bits.
        token: u32,
    },
    /// In 0.7.
    V07 {
        /// The header for the answer.
        answer: Header07,
        /// Comes back in the answer.
        token: i32,
    },
}

impl InfoRequest {
    /// Reads what a [`Acceptor`](crate::handshake::Acceptor) let through.
    ///
    /// # Errors
    /// When it is anything else than such a question.
    pub fn read(browse: &InfoQuery<'_>) -> Result<Self, PacketError> {
        match *browse {
            InfoQuery::V06 { header, payload } => {
                use v06::wire::connless::Connless;
                let Some(Connless::RequestInfo(question)) = message(payload)? else { return Err(OTHER) };
                Ok(match header {
                    Header06::Plain(_) => Self::Plain { token: question.token.0 },
                    Header06::Extended { extra_token, .. } => {
                        Self::Extended { token: u32::from(extra_token) << 8 | u32::from(question.token.0) }
                    }
                })
            }
            InfoQuery::V07 { answer, payload } => {
                use v07::wire::connless::Connless;
                let Some(Connless::RequestInfo(question)) = message(payload)? else { return Err(OTHER) };
                Ok(Self::V07 { answer, token: question.token })
            }
        }
    }
}

const OTHER: PacketError = PacketError::Unexpected("no question of what the server is");
