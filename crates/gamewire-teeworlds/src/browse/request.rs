//! Questions of clients, as a server reads them.

use super::Reject;
use super::packet::{Connless, connless, message};
use crate::shared::data::Token;
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
        /// The token in its header. The server must have handed it out to the address that asks;
        /// who answers without checking that lets anyone send answers to anyone.
        ours: Token,
        /// The token that the answer's header must carry.
        theirs: Token,
        /// Comes back in the answer.
        token: i32,
    },
}

impl InfoRequest {
    /// Reads a datagram from an address that has no connection.
    ///
    /// # Errors
    /// When it is anything else than such a question.
    pub fn parse(datagram: &[u8]) -> Result<Self, Reject> {
        match connless(datagram)? {
            Some(Connless::V06 { header, payload }) => {
                use v06::wire::connless::Connless;
                let Some(Connless::RequestInfo(question)) = message(payload)? else { return Err(OTHER) };
                Ok(match header {
                    v06::wire::packet::ConnlessHeader::Plain(_) => Self::Plain { token: question.token.0 },
                    v06::wire::packet::ConnlessHeader::Extended { extra_token, .. } => {
                        Self::Extended { token: u32::from(extra_token) << 8 | u32::from(question.token.0) }
                    }
                })
            }
            Some(Connless::V07 { header, payload }) => {
                use v07::wire::connless::Connless;
                let Some(Connless::RequestInfo(question)) = message(payload)? else { return Err(OTHER) };
                Ok(Self::V07 { ours: header.token, theirs: header.response_token, token: question.token })
            }
            None => Err(OTHER),
        }
    }
}

const OTHER: Reject = Reject::Unexpected("no question of what the server is");
