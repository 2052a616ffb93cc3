//! What a [`Acceptor`] does with 0.7.

use super::admission::{AcceptOutcome, FirstPacket, InfoQuery};
use super::gate::{Acceptor, NOT_ANEW, Request};
use super::read::token;
use super::token::Purpose;
use super::written::HandshakePacket;
use crate::link::{Link, LinkConfig, LinkTokens, PacketError};
use crate::shared::data::Token;
use crate::v07::wire::packet::ConnlessHeader;

const CONNECT: u8 = 1;
const ACCEPT: u8 = 2;
const TOKEN: u8 = 5;
/// A shorter payload of TOKEN gets no answer, lest somebody else get more than was sent.
const TOKEN_LENGTH: usize = 512;

const NOT_SPOKEN: PacketError = PacketError::Unexpected("0.7 is not spoken here");

impl Acceptor {
    pub(super) fn browse_07<'d>(
        &mut self,
        visit: &Request<'_>,
        header: ConnlessHeader,
        payload: &'d [u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        self.speaks_07()?;
        self.check_07(visit, header.token)?;
        if !self.verified.take(visit.now, visit.from) {
            return Err(PacketError::RateLimited);
        }
        let answer = ConnlessHeader { token: header.response_token, response_token: header.token };
        Ok(AcceptOutcome::Browse(InfoQuery::V07 { answer, payload }))
    }

    pub(super) fn control_07<'d>(
        &mut self,
        visit: &mut Request<'_>,
        ours: Token,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let config = self.speaks_07()?;
        match payload {
            [TOKEN, body @ ..] if ours == Token::NONE => self.give_token(visit, payload.len(), body),
            [CONNECT, body @ ..] => {
                self.check_07(visit, ours)?;
                Ok(admit_07(visit, config, ours, token_of(body)?))
            }
            _ => {
                self.check_07(visit, ours)?;
                Err(PacketError::UnknownAddress)
            }
        }
    }

    /// The same from somebody who has a connection. A CONNECT with its own token is a copy: the
    /// link repeats its ACCEPT by itself.
    pub(super) fn control_07_again<'d>(
        &mut self,
        visit: &mut Request<'_>,
        link: &Link,
        ours: Token,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let config = self.speaks_07()?;
        match payload {
            [TOKEN, body @ ..] if ours == Token::NONE => self.give_token(visit, payload.len(), body),
            [CONNECT, body @ ..] => {
                self.check_07(visit, ours)?;
                let new = token_of(body)?;
                match link.tokens() {
                    LinkTokens::V07 { theirs, .. } if theirs == new => Err(NOT_ANEW),
                    _ => Ok(admit_07(visit, config, ours, new)),
                }
            }
            _ => Err(NOT_ANEW),
        }
    }

    fn speaks_07(&self) -> Result<LinkConfig, PacketError> {
        self.config.v07.ok_or(NOT_SPOKEN)
    }

    fn check_07(&self, visit: &Request<'_>, token: Token) -> Result<(), PacketError> {
        let is_right = self.tokens.accepts(visit.now, Purpose::V07, visit.from, token);
        is_right.then_some(()).ok_or(PacketError::WrongToken)
    }

    fn give_token<'d>(
        &self,
        visit: &mut Request<'_>,
        length: usize,
        body: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        if length < TOKEN_LENGTH {
            return Err(PacketError::Unexpected("TOKEN is too short for an answer"));
        }
        let theirs = token_of(body)?;
        let ours = self.tokens.current(visit.now, Purpose::V07, visit.from);
        HandshakePacket::GiveToken07 { theirs, ours }.send(visit.from, visit.out);
        Ok(AcceptOutcome::Answered)
    }
}

fn admit_07<'d>(
    visit: &mut Request<'_>,
    config: LinkConfig,
    ours: Token,
    theirs: Token,
) -> AcceptOutcome<'d> {
    let tokens = LinkTokens::V07 { ours, theirs };
    let mut link = Link::new(tokens, visit.from, config, visit.now).repeating(ACCEPT, &[]);
    link.send_control(visit.now, ACCEPT, &[], visit.out);
    AcceptOutcome::Accepted { link, arrival: FirstPacket::Handshake }
}

/// The client's token in TOKEN and CONNECT.
fn token_of(body: &[u8]) -> Result<Token, PacketError> {
    let token = token(body).filter(|token| *token != Token::NONE);
    token.ok_or(PacketError::Unexpected("the client's token is missing"))
}
