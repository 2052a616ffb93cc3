//! What a [`Acceptor`] does with 0.6, 0.6.5 and DDNet.

use gamewire_wire::Reader;

use super::admission::{AcceptOutcome, FirstPacket, InfoQuery};
use super::config::TokenlessPolicy;
use super::gate::{Acceptor, NOT_ANEW, Request};
use super::puzzle;
use super::read::token;
use super::token::Purpose;
use super::written::HandshakePacket;
use crate::link::{Link, LinkConfig, LinkTokens, PacketError};
use crate::shared::control::{CONNECT_065, TKEN};
use crate::shared::data::Token;
use crate::shared::packet::{Header, inflate};
use crate::v06::wire::chunk;
use crate::v06::wire::packet::ConnlessHeader;

const KEEP_ALIVE: u8 = 0;
const CONNECT: u8 = 1;
const CONNECT_ACCEPT: u8 = 2;
const ACCEPT: u8 = 3;

impl Acceptor {
    pub(super) fn browse_06<'d>(
        &mut self,
        visit: &Request<'_>,
        header: ConnlessHeader,
        payload: &'d [u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        if !self.unverified.take(visit.now, visit.from) {
            return Err(PacketError::RateLimited);
        }
        Ok(AcceptOutcome::Browse(InfoQuery::V06 { header, payload }))
    }

    /// A control packet without a token in its header.
    pub(super) fn control_06<'d>(
        &mut self,
        visit: &mut Request<'_>,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        match (payload, self.config.tken) {
            ([CONNECT, body @ ..], Some(_)) if offers_tken(body) => Ok(self.give_tken(visit, Purpose::Tken)),
            ([CONNECT, body @ ..], _) => self.connect_06(visit, body),
            ([ACCEPT, body @ ..], Some(config)) if !body.is_empty() => {
                let token = self.check_tken(visit, token_alone(body)?)?;
                let link = Link::new(LinkTokens::Tken(token), visit.from, config, visit.now);
                Ok(AcceptOutcome::Accepted { link, arrival: FirstPacket::Handshake })
            }
            _ => Err(PacketError::UnknownAddress),
        }
    }

    /// The same from somebody who has a connection.
    pub(super) fn control_06_again<'d>(
        &mut self,
        visit: &mut Request<'_>,
        link: &Link,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        match (payload, self.config.tken) {
            ([CONNECT, body @ ..], Some(_)) if offers_tken(body) => {
                let current = self.tokens.current(visit.now, Purpose::Tken, visit.from);
                let is_in_use = link.tokens() == LinkTokens::Tken(current);
                let purpose = if is_in_use { Purpose::TkenAgain } else { Purpose::Tken };
                Ok(self.give_tken(visit, purpose))
            }
            ([ACCEPT, body @ ..], Some(config)) if !body.is_empty() => {
                let token = self.check_tken(visit, token_alone(body)?)?;
                if link.tokens() == LinkTokens::Tken(token) {
                    return Err(NOT_ANEW);
                }
                let link = Link::new(LinkTokens::Tken(token), visit.from, config, visit.now);
                Ok(AcceptOutcome::Accepted { link, arrival: FirstPacket::Handshake })
            }
            _ => Err(NOT_ANEW),
        }
    }

    /// A control packet with a token in its header.
    pub(super) fn control_065<'d>(
        &mut self,
        visit: &mut Request<'_>,
        token: Token,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let config = self.speaks_065()?;
        match payload {
            // The answer goes to the token in the header, not to the one in the body.
            [CONNECT, body @ ..] if body.len() >= CONNECT_065 => Ok(self.give_065(visit, token)),
            [CONNECT, ..] => self.connect_plain(visit),
            _ => {
                self.check_065(visit, token)?;
                if *payload != [KEEP_ALIVE] {
                    return Err(PacketError::UnknownAddress);
                }
                let mut link = Link::new(LinkTokens::V065(token), visit.from, config, visit.now);
                link.send_control(visit.now, KEEP_ALIVE, &[], visit.out);
                Ok(AcceptOutcome::Accepted { link, arrival: FirstPacket::Handshake })
            }
        }
    }

    /// Chunks. They open a connection of 0.6.5, and one of DDNet whose ACCEPT was lost; those of an
    /// older client may answer the puzzle.
    pub(super) fn chunks_06<'d>(
        &mut self,
        visit: &Request<'_>,
        header: &Header,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        if let Some(token) = header.token {
            let config = self.speaks_065()?;
            self.check_065(visit, token)?;
            return with_messages(visit, header, config, LinkTokens::V065(token));
        }
        // Whoever has something to acknowledge had a connection that is over.
        let tken = self.config.tken.filter(|_| header.ack == 0);
        let puzzle =
            if let TokenlessPolicy::Antispoof(config) = self.config.tokenless { Some(config) } else { None };
        if tken.is_none() && puzzle.is_none() {
            return Err(PacketError::UnknownAddress);
        }
        let inflated = self.inflated.as_mut_slice();
        let payload = if header.compressed { inflate(payload, inflated)? } else { payload };
        let is_right = |purpose, token| self.tokens.accepts(visit.now, purpose, visit.from, token);
        if let Some((config, tick)) = puzzle.zip(puzzle::decode_input_token(header, payload)) {
            if !is_right(Purpose::Puzzle, tick) {
                return Err(PacketError::WrongToken);
            }
            let link = Link::new(LinkTokens::V06, visit.from, config, visit.now);
            let link = link.with_sequence(puzzle::VITAL_MESSAGES);
            return Ok(AcceptOutcome::Accepted { link, arrival: FirstPacket::PastInfo });
        }
        let (config, token) = tken.zip(first_of_tken(header, payload)).ok_or(PacketError::UnknownAddress)?;
        if !is_right(Purpose::Tken, token) && !is_right(Purpose::TkenAgain, token) {
            return Err(PacketError::WrongToken);
        }
        with_messages(visit, header, config, LinkTokens::Tken(token))
    }

    fn connect_06<'d>(
        &mut self,
        visit: &mut Request<'_>,
        body: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let theirs = body.get(4..).and_then(token).filter(|_| body.len() >= CONNECT_065);
        match theirs {
            Some(theirs) if self.config.v065.is_some() => Ok(self.give_065(visit, theirs)),
            _ => self.connect_plain(visit),
        }
    }

    fn connect_plain<'d>(&mut self, visit: &mut Request<'_>) -> Result<AcceptOutcome<'d>, PacketError> {
        match self.config.tokenless {
            TokenlessPolicy::Refuse => Err(PacketError::Unexpected("CONNECT without a token")),
            TokenlessPolicy::Accept(config) => {
                let link = Link::new(LinkTokens::V06, visit.from, config, visit.now);
                let mut link = link.repeating(CONNECT_ACCEPT, &[]);
                link.send_control(visit.now, CONNECT_ACCEPT, &[], visit.out);
                Ok(AcceptOutcome::Accepted { link, arrival: FirstPacket::Handshake })
            }
            TokenlessPolicy::Antispoof(_) if !self.puzzles.take(visit.now) => Err(PacketError::RateLimited),
            TokenlessPolicy::Antispoof(_) => {
                let token = self.tokens.current(visit.now, Purpose::Puzzle, visit.from);
                HandshakePacket::ConnectAccept06.send(visit.from, visit.out);
                puzzle::send(token, visit.from, visit.out);
                Ok(AcceptOutcome::Answered)
            }
        }
    }

    fn give_tken<'d>(&self, visit: &mut Request<'_>, purpose: Purpose) -> AcceptOutcome<'d> {
        let token = self.tokens.current(visit.now, purpose, visit.from);
        HandshakePacket::ConnectAcceptTken(token).send(visit.from, visit.out);
        AcceptOutcome::Answered
    }

    fn give_065<'d>(&self, visit: &mut Request<'_>, theirs: Token) -> AcceptOutcome<'d> {
        let ours = self.tokens.current(visit.now, Purpose::V065, visit.from);
        HandshakePacket::ConnectAccept065 { theirs, ours }.send(visit.from, visit.out);
        AcceptOutcome::Answered
    }

    fn check_tken(&self, visit: &Request<'_>, token: Token) -> Result<Token, PacketError> {
        let is_right = |purpose| self.tokens.accepts(visit.now, purpose, visit.from, token);
        let is_right = is_right(Purpose::Tken) || is_right(Purpose::TkenAgain);
        is_right.then_some(token).ok_or(PacketError::WrongToken)
    }

    fn speaks_065(&self) -> Result<LinkConfig, PacketError> {
        self.config.v065.ok_or(PacketError::Unexpected("0.6.5 is not spoken here"))
    }

    fn check_065(&self, visit: &Request<'_>, token: Token) -> Result<(), PacketError> {
        let is_right = self.tokens.accepts(visit.now, Purpose::V065, visit.from, token);
        is_right.then_some(()).ok_or(PacketError::WrongToken)
    }
}

/// The connection that its first packet with messages opens.
fn with_messages<'d>(
    visit: &Request<'_>,
    header: &Header,
    config: LinkConfig,
    tokens: LinkTokens,
) -> Result<AcceptOutcome<'d>, PacketError> {
    if header.ack != 0 {
        return Err(PacketError::UnknownAddress);
    }
    let link = Link::new(tokens, visit.from, config, visit.now);
    Ok(AcceptOutcome::Accepted { link, arrival: FirstPacket::WithMessages })
}

/// Whether the body of a CONNECT has the mark of DDNet and room for a token behind it.
fn offers_tken(body: &[u8]) -> bool {
    body.strip_prefix(&TKEN).is_some_and(|rest| rest.len() >= 4)
}

/// The token of an ACCEPT of DDNet.
fn token_alone(body: &[u8]) -> Result<Token, PacketError> {
    token(body).filter(|_| body.len() == 4).ok_or(PacketError::Unexpected("ACCEPT without a token"))
}

/// The token of DDNet behind the chunks, if the first of them is the first of a connection.
fn first_of_tken(header: &Header, payload: &[u8]) -> Option<Token> {
    let (chunks, end) = payload.split_last_chunk()?;
    let first = chunk::read(&mut Reader::new(chunks), &mut ()).ok()?;
    (header.chunks > 0 && first.header.sequence == Some(1)).then_some(Token(u32::from_be_bytes(*end)))
}
