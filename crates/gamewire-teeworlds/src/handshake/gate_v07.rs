//! What a [`Gate`] does with 0.7.

use super::admission::{Admission, Arrival, Browse};
use super::gate::{Gate, NOT_ANEW, Visit};
use super::read::token;
use super::token::Purpose;
use super::written::Written;
use crate::link::{Link, LinkConfig, LinkTokens, Reject};
use crate::shared::data::Token;
use crate::v07::wire::packet::ConnlessHeader;

const CONNECT: u8 = 1;
const ACCEPT: u8 = 2;
const TOKEN: u8 = 5;
/// A shorter payload of TOKEN gets no answer, lest somebody else get more than was sent.
const TOKEN_LENGTH: usize = 512;

const NOT_SPOKEN: Reject = Reject::Unexpected("0.7 is not spoken here");

impl Gate {
    pub(super) fn browse_07<'d>(
        &mut self,
        visit: &Visit<'_>,
        header: ConnlessHeader,
        payload: &'d [u8],
    ) -> Result<Admission<'d>, Reject> {
        self.speaks_07()?;
        self.check_07(visit, header.token)?;
        if !self.proven.take(visit.now, visit.from) {
            return Err(Reject::RateLimited);
        }
        let answer = ConnlessHeader { token: header.response_token, response_token: header.token };
        Ok(Admission::Browse(Browse::V07 { answer, payload }))
    }

    pub(super) fn control_07<'d>(
        &mut self,
        visit: &mut Visit<'_>,
        ours: Token,
        payload: &[u8],
    ) -> Result<Admission<'d>, Reject> {
        let config = self.speaks_07()?;
        match payload {
            [TOKEN, body @ ..] if ours == Token::NONE => self.give_token(visit, payload.len(), body),
            [CONNECT, body @ ..] => {
                self.check_07(visit, ours)?;
                Ok(admit_07(visit, config, ours, token_of(body)?))
            }
            _ => {
                self.check_07(visit, ours)?;
                Err(Reject::UnknownAddress)
            }
        }
    }

    /// The same from somebody who has a connection. A CONNECT with its own token is a copy: the
    /// link repeats its ACCEPT by itself.
    pub(super) fn control_07_again<'d>(
        &mut self,
        visit: &mut Visit<'_>,
        link: &Link,
        ours: Token,
        payload: &[u8],
    ) -> Result<Admission<'d>, Reject> {
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

    fn speaks_07(&self) -> Result<LinkConfig, Reject> {
        self.config.v07.ok_or(NOT_SPOKEN)
    }

    fn check_07(&self, visit: &Visit<'_>, token: Token) -> Result<(), Reject> {
        let is_right = self.tokens.accepts(visit.now, Purpose::V07, visit.from, token);
        is_right.then_some(()).ok_or(Reject::WrongToken)
    }

    fn give_token<'d>(
        &self,
        visit: &mut Visit<'_>,
        length: usize,
        body: &[u8],
    ) -> Result<Admission<'d>, Reject> {
        if length < TOKEN_LENGTH {
            return Err(Reject::Unexpected("TOKEN is too short for an answer"));
        }
        let theirs = token_of(body)?;
        let ours = self.tokens.current(visit.now, Purpose::V07, visit.from);
        Written::GiveToken07 { theirs, ours }.send(visit.from, visit.out);
        Ok(Admission::Answered)
    }
}

fn admit_07<'d>(visit: &mut Visit<'_>, config: LinkConfig, ours: Token, theirs: Token) -> Admission<'d> {
    let tokens = LinkTokens::V07 { ours, theirs };
    let mut link = Link::new(tokens, visit.from, config, visit.now).repeating(ACCEPT, &[]);
    link.send_control(visit.now, ACCEPT, &[], visit.out);
    Admission::Admit { link, arrival: Arrival::Handshake }
}

/// The client's token in TOKEN and CONNECT.
fn token_of(body: &[u8]) -> Result<Token, Reject> {
    let token = token(body).filter(|token| *token != Token::NONE);
    token.ok_or(Reject::Unexpected("the client's token is missing"))
}
