//! The handshake of 0.7 at the [`Acceptor`].

use super::acceptor::{AcceptOutcome, Acceptor, FirstPacket, HAS_CONNECTION, InfoQuery, Request};
use super::decode::token;
use super::encode::send_07;
use super::token::Purpose;
use crate::link::{Link, LinkConfig, LinkTokens, PacketError};
use crate::shared::control::Padding;
use crate::shared::data::Token;
use crate::v07::control::TokenExchange;
use crate::v07::packet::ConnlessHeader;

const CONNECT: u8 = 1;
const ACCEPT: u8 = 2;
const TOKEN: u8 = 5;
/// Minimum payload of TOKEN. A shorter request gets no answer: the address may be forged, and an answer must not be
/// longer than its request.
const MIN_TOKEN_LENGTH: usize = 512;

const DISABLED: PacketError = PacketError::Unexpected("0.7 is disabled");

impl Acceptor {
    pub(super) fn on_browse_07<'d>(
        &mut self,
        request: &Request<'_>,
        header: ConnlessHeader,
        payload: &'d [u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        self.config.v07.ok_or(DISABLED)?;
        self.check_token(request, &[Purpose::V07], header.token)?;
        if !self.verified.try_acquire(request.now, request.from) {
            return Err(PacketError::RateLimited);
        }
        let answer = ConnlessHeader { token: header.response_token, response_token: header.token };
        Ok(AcceptOutcome::InfoQuery(InfoQuery::V07 { answer, payload }))
    }

    /// Handles a control packet. A CONNECT with the tokens of the sender's connection is a duplicate. It gets no answer
    /// here, because the link repeats its ACCEPT.
    pub(super) fn on_control_07<'d>(
        &mut self,
        request: &mut Request<'_>,
        ours: Token,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let config = self.config.v07.ok_or(DISABLED)?;
        match payload {
            [TOKEN, body @ ..] if ours == Token::NONE => self.send_token(request, payload.len(), body),
            [CONNECT, body @ ..] => {
                self.check_token(request, &[Purpose::V07], ours)?;
                let new = client_token(body)?;
                match request.link {
                    Some(LinkTokens::V07 { theirs, .. }) if theirs == new => Err(HAS_CONNECTION),
                    _ => Ok(accept_07(request, config, ours, new)),
                }
            }
            _ => {
                if request.link.is_none() {
                    self.check_token(request, &[Purpose::V07], ours)?;
                }
                Err(request.unexpected())
            }
        }
    }

    fn send_token<'d>(
        &self,
        request: &mut Request<'_>,
        length: usize,
        body: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        if length < MIN_TOKEN_LENGTH {
            return Err(PacketError::Unexpected("short TOKEN"));
        }
        let theirs = client_token(body)?;
        let ours = self.tokens.current(request.now, Purpose::V07, request.from);
        let reply = TokenExchange { token: ours, padding: Padding(&[]) };
        send_07(theirs, reply, request.from, request.out);
        Ok(AcceptOutcome::Answered)
    }
}

fn accept_07<'d>(request: &Request<'_>, config: LinkConfig, ours: Token, theirs: Token) -> AcceptOutcome<'d> {
    let tokens = LinkTokens::V07 { ours, theirs };
    let mut link = Link::new(tokens, request.from, config, request.now).repeating(ACCEPT, &[]);
    link.send_control(ACCEPT, &[]);
    AcceptOutcome::Accepted { link, first_packet: FirstPacket::Handshake }
}

/// Returns the client's token of TOKEN or CONNECT.
fn client_token(body: &[u8]) -> Result<Token, PacketError> {
    let token = token(body).filter(|token| *token != Token::NONE);
    token.ok_or(PacketError::Unexpected("missing client token"))
}
