//! Handshakes of 0.6, 0.6.5 and DDNet at the [`Acceptor`].

use gamewire_wire::Reader;

use super::acceptor::{AcceptOutcome, Acceptor, FirstPacket, HAS_CONNECTION, InfoQuery, Request};
use super::antispoof;
use super::config::TokenlessPolicy;
use super::decode::token;
use super::encode::send_06;
use super::token::Purpose;
use crate::link::{Link, LinkConfig, LinkTokens, PacketError};
use crate::shared::control::{CONNECT_065, ConnectToken, TKEN};
use crate::shared::data::Token;
use crate::shared::packet::{Header, inflate};
use crate::shared::version::Version as _;
use crate::v06::V06;
use crate::v06::control::ConnectAccept;
use crate::v06::packet::ConnlessHeader;

const KEEP_ALIVE: u8 = 0;
const CONNECT: u8 = 1;
const CONNECT_ACCEPT: u8 = 2;
const ACCEPT: u8 = 3;
const TKEN_PURPOSES: [Purpose; 2] = [Purpose::Tken, Purpose::TkenAgain];

const DISABLED: PacketError = PacketError::Unexpected("0.6.5 is disabled");

impl Acceptor {
    pub(super) fn on_browse_06<'d>(
        &mut self,
        request: &Request<'_>,
        header: ConnlessHeader,
        payload: &'d [u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        if !self.unverified.try_acquire(request.now, request.from) {
            return Err(PacketError::RateLimited);
        }
        Ok(AcceptOutcome::InfoQuery(InfoQuery::V06 { header, payload }))
    }

    /// Handles a control packet without a token in its header.
    pub(super) fn on_control_06<'d>(
        &mut self,
        request: &mut Request<'_>,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        match (payload, self.config.tken) {
            ([CONNECT, body @ ..], Some(_)) if offers_tken(body) => {
                let mut token = self.tokens.current(request.now, Purpose::Tken, request.from);
                if request.link == Some(LinkTokens::Tken(token)) {
                    token = self.tokens.current(request.now, Purpose::TkenAgain, request.from);
                }
                let accept = ConnectAccept { greeting: ConnectToken::Tken(&[]) };
                send_06(None, accept, Some(token), request.from, request.out);
                Ok(AcceptOutcome::Answered)
            }
            ([CONNECT, body @ ..], _) if request.link.is_none() => self.on_connect(request, body),
            ([ACCEPT, body @ ..], Some(config)) if !body.is_empty() => {
                let token = accept_token(body)?;
                self.check_token(request, &TKEN_PURPOSES, token)?;
                if request.link == Some(LinkTokens::Tken(token)) {
                    return Err(HAS_CONNECTION);
                }
                Ok(request.accept(LinkTokens::Tken(token), config))
            }
            _ => Err(request.unexpected()),
        }
    }

    /// Handles a control packet with a token in its header.
    pub(super) fn on_control_065<'d>(
        &mut self,
        request: &mut Request<'_>,
        token: Token,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let config = self.config.v065.ok_or(DISABLED)?;
        match payload {
            // The answer repeats the token of the header, not the token of the body.
            [CONNECT, body @ ..] if body.len() >= CONNECT_065 => Ok(self.send_token_065(request, token)),
            [CONNECT, ..] => self.on_connect_without_token(request),
            _ => {
                self.check_token(request, &[Purpose::V065], token)?;
                if *payload != [KEEP_ALIVE] {
                    return Err(PacketError::UnknownAddress);
                }
                let mut link = Link::new(LinkTokens::V065(token), request.from, config, request.now);
                link.send_control(KEEP_ALIVE, &[]);
                Ok(AcceptOutcome::Accepted { link, first_packet: FirstPacket::Handshake })
            }
        }
    }

    /// Handles chunks. They open a connection of 0.6.5, or of DDNet if the ACCEPT was lost. The input of an older
    /// client may have the token of the antispoof handshake.
    pub(super) fn on_chunks_06<'d>(
        &mut self,
        request: &Request<'_>,
        header: &Header,
        payload: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        if let Some(token) = header.token {
            let config = self.config.v065.ok_or(DISABLED)?;
            self.check_token(request, &[Purpose::V065], token)?;
            return with_messages(request, header, config, LinkTokens::V065(token));
        }
        // A peer that acknowledges messages had a connection, which is closed now.
        let tken = self.config.tken.filter(|_| header.ack == 0);
        let antispoof =
            if let TokenlessPolicy::Antispoof(config) = self.config.tokenless { Some(config) } else { None };
        if tken.is_none() && antispoof.is_none() {
            return Err(PacketError::UnknownAddress);
        }
        let inflated = self.inflated.as_mut_slice();
        let payload = if header.compressed { inflate(payload, inflated)? } else { payload };
        if let Some((config, tick)) = antispoof.zip(antispoof::decode_input_token(header, payload)) {
            self.check_token(request, &[Purpose::Antispoof], tick)?;
            let link = Link::new(LinkTokens::V06, request.from, config, request.now);
            let link = link.with_sequence(antispoof::VITAL_MESSAGES);
            return Ok(AcceptOutcome::Accepted { link, first_packet: FirstPacket::PastInfo });
        }
        let (config, token) =
            tken.zip(first_packet_token(header, payload)).ok_or(PacketError::UnknownAddress)?;
        self.check_token(request, &TKEN_PURPOSES, token)?;
        with_messages(request, header, config, LinkTokens::Tken(token))
    }

    fn on_connect<'d>(
        &mut self,
        request: &mut Request<'_>,
        body: &[u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let theirs = body.get(4..).and_then(token).filter(|_| body.len() >= CONNECT_065);
        match theirs {
            Some(theirs) if self.config.v065.is_some() => Ok(self.send_token_065(request, theirs)),
            _ => self.on_connect_without_token(request),
        }
    }

    fn on_connect_without_token<'d>(
        &mut self,
        request: &mut Request<'_>,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        match self.config.tokenless {
            TokenlessPolicy::Refuse => Err(PacketError::Unexpected("CONNECT without a token")),
            TokenlessPolicy::Accept(config) => {
                // The address may be forged. The client repeats its CONNECT, and gets one answer for each.
                let config = LinkConfig { retry_after: config.receive_timeout, ..config };
                let link = Link::new(LinkTokens::V06, request.from, config, request.now);
                let mut link = link.repeating(CONNECT_ACCEPT, &[]);
                link.send_control(CONNECT_ACCEPT, &[]);
                Ok(AcceptOutcome::Accepted { link, first_packet: FirstPacket::Handshake })
            }
            TokenlessPolicy::Antispoof(_)
                if !self.antispoof_limiter.try_acquire(request.now, self.config.antispoof_burst) =>
            {
                Err(PacketError::RateLimited)
            }
            TokenlessPolicy::Antispoof(_) => {
                let token = self.tokens.current(request.now, Purpose::Antispoof, request.from);
                let accept = ConnectAccept { greeting: ConnectToken::Plain };
                send_06(None, accept, None, request.from, request.out);
                antispoof::send(token, request.from, request.out);
                Ok(AcceptOutcome::Answered)
            }
        }
    }

    fn send_token_065<'d>(&self, request: &mut Request<'_>, theirs: Token) -> AcceptOutcome<'d> {
        let ours = self.tokens.current(request.now, Purpose::V065, request.from);
        let accept = ConnectAccept { greeting: ConnectToken::ServerToken(ours) };
        send_06(Some(theirs), accept, None, request.from, request.out);
        AcceptOutcome::Answered
    }
}

/// Accepts a connection that the first packet with messages opens.
fn with_messages<'d>(
    request: &Request<'_>,
    header: &Header,
    config: LinkConfig,
    tokens: LinkTokens,
) -> Result<AcceptOutcome<'d>, PacketError> {
    if header.ack != 0 {
        return Err(PacketError::UnknownAddress);
    }
    let link = Link::new(tokens, request.from, config, request.now);
    Ok(AcceptOutcome::Accepted { link, first_packet: FirstPacket::WithMessages })
}

/// Returns whether the body of a CONNECT has the magic bytes of DDNet and a token after them.
fn offers_tken(body: &[u8]) -> bool {
    body.strip_prefix(&TKEN).is_some_and(|rest| rest.len() >= 4)
}

/// Returns the token of an ACCEPT of DDNet. A client can repeat the message with the token at the end of the payload,
/// as in every other packet of the connection.
fn accept_token(body: &[u8]) -> Result<Token, PacketError> {
    token(body)
        .filter(|_| matches!(body.len(), 4 | 8))
        .ok_or(PacketError::Unexpected("ACCEPT without a token"))
}

/// Returns the token of DDNet after the chunks, if the first chunk is the first one of a connection.
fn first_packet_token(header: &Header, payload: &[u8]) -> Option<Token> {
    let (chunks, end) = payload.split_last_chunk()?;
    let first = V06::read_chunk(&mut Reader::new(chunks), &mut ()).ok()?;
    (header.chunks > 0 && first.header.sequence == Some(1)).then_some(Token(u32::from_be_bytes(*end)))
}
