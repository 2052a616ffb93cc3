use std::net::SocketAddr;

use gamewire_machine::{Clock, Instant, Transmit, Wake};

use super::connect_state::{ConnectOutcome, ConnectState};
use super::decode::{Unconnected, token};
use super::encode::{PADDING_07, PADDING_065, send_06, send_06_with, send_07};
use super::offer::Offer;
use super::seeded_rng::SeededRng;
use crate::Dialect;
use crate::link::{CloseReason, Link, LinkConfig, LinkTokens, Outbox, PacketError};
use crate::shared::control::{ConnectToken, Padding, ReasonText, TKEN};
use crate::shared::data::Token;
use crate::shared::pack::Text;
use crate::shared::packet::Header;
use crate::v06::control as control06;
use crate::v07::control as control07;

const KEEP_ALIVE: u8 = 0;
const CONNECT: u8 = 1;
const CONNECT_ACCEPT: u8 = 2;
const ACCEPT: u8 = 3;
/// ACCEPT of 0.7.
const ACCEPT_07: u8 = 2;
const CLOSE: u8 = 4;
const TOKEN_07: u8 = 5;
/// Maximum length of a reason in any game, in bytes.
const MAX_REASON: usize = 255;

const NOT_AN_ANSWER: PacketError = PacketError::Unexpected("not an answer of the handshake");

/// The client's side of a handshake, from the first datagram to a [`Link`].
///
/// The last datagram is repeated every [`LinkConfig::retry_after`] until the server answers. TOKEN of 0.7 is repeated
/// twice as often.
#[derive(Debug)]
pub struct Connecting {
    clock: Clock,
    pub(crate) transmits: Outbox,
    server: SocketAddr,
    /// Timers of the handshake.
    config: LinkConfig,
    /// The configuration of the connection, if it does not depend on the dialect.
    link: Option<LinkConfig>,
    state: ConnectState,
    /// Time when this state began.
    since: Instant,
    last_send: Instant,
    /// The header of the CLOSE of an earlier connection, which is repeated with every request.
    closing: Option<Header>,
    /// The dialect of the last answer that was not offered.
    other_dialect: Option<Dialect>,
}

impl Connecting {
    /// Starts the handshake with `server` and queues the first datagram. If `link` is `None`, the handshake and the
    /// connection use [`LinkConfig::of_games`]. With [`Offer::Any06`] the handshake uses the configuration of plain
    /// 0.6.
    pub fn new(
        offer: Offer,
        server: SocketAddr,
        link: Option<LinkConfig>,
        rng: &mut SeededRng,
        now: Instant,
    ) -> Self {
        Self::with_token(offer, server, link, rng.token(), now)
    }

    pub(super) fn with_token(
        offer: Offer,
        server: SocketAddr,
        link: Option<LinkConfig>,
        ours: Token,
        now: Instant,
    ) -> Self {
        let (state, dialect) = match offer {
            Offer::Any06 => (ConnectState::Any06 { ours }, Dialect::V06),
            Offer::Only(dialect @ Dialect::V06) => (ConnectState::Plain, dialect),
            Offer::Only(dialect @ Dialect::Tken) => (ConnectState::Tken, dialect),
            Offer::Only(dialect @ Dialect::V065) => (ConnectState::V065 { ours }, dialect),
            Offer::Only(dialect @ Dialect::V07) => (ConnectState::AskToken { ours }, dialect),
        };
        let config = link.unwrap_or_else(|| LinkConfig::of_games(dialect));
        let mut connecting = Self {
            clock: Clock::new(now),
            transmits: Outbox::new(),
            server,
            config,
            link,
            state,
            since: now,
            last_send: now,
            closing: None,
            other_dialect: None,
        };
        connecting.send_request();
        connecting
    }

    /// Repeats the CLOSE of an earlier connection, which has this header, before every repeated request.
    pub(crate) const fn closing(mut self, header: Option<Header>) -> Self {
        self.closing = header;
        self
    }

    /// Handles a datagram of the server.
    ///
    /// # Errors
    /// [`PacketError`] if the datagram was dropped. The handshake is unchanged.
    pub fn receive(&mut self, now: Instant, datagram: &[u8]) -> Result<ConnectOutcome, PacketError> {
        if self.state == ConnectState::Finished {
            return Err(PacketError::Closed);
        }
        let received = Unconnected::decode(datagram)?;
        match (self.state, received) {
            (_, Unconnected::Browse06(..) | Unconnected::Browse07(..)) => Err(PacketError::Connless),
            (
                ConnectState::AskToken { ours } | ConnectState::V07 { ours, .. },
                Unconnected::Control07(token, payload),
            ) => {
                if token != ours {
                    return Err(PacketError::WrongToken);
                }
                self.on_control_07(now, ours, payload)
            }
            (
                ConnectState::Any06 { .. }
                | ConnectState::Plain
                | ConnectState::Tken
                | ConnectState::V065 { .. },
                Unconnected::Control06(header, payload),
            ) => self.on_control_06(now, &header, payload),
            // This is the antispoof packet of a server for clients without tokens. Its CONNECTACCEPT was lost.
            (
                ConnectState::Any06 { .. } | ConnectState::Plain,
                Unconnected::Chunks06(Header { token: None, ack: 0, chunks: 1.., .. }, _),
            ) => self.on_tokens_06(now, LinkTokens::V06).map(ConnectOutcome::OnlineWithMessages),
            _ => Err(NOT_AN_ANSWER),
        }
    }

    /// Repeats the last datagram if it is due.
    ///
    /// # Errors
    /// [`Connecting::failure`] once, if the server has not answered in time. The handshake is finished.
    pub fn handle_timeout(&mut self, now: Instant) -> Result<(), CloseReason> {
        let now = self.clock.advance(now);
        if self.state == ConnectState::Finished {
            return Ok(());
        }
        if now >= self.deadline() {
            self.state = ConnectState::Finished;
            return Err(self.failure());
        }
        if now >= self.retry_at() {
            self.last_send = now;
            if let Some(header) = &self.closing {
                let close = control06::Close { reason: None };
                send_06_with(header, close, None, self.server, &mut self.transmits);
            }
            self.send_request();
        }
        Ok(())
    }

    /// Returns the next time at which [`Connecting::handle_timeout`] is due, or `None` if the handshake is finished.
    pub fn poll_timeout(&self) -> Option<Wake> {
        if self.state == ConnectState::Finished {
            return None;
        }
        let deadline = Wake { at: self.deadline(), reason: "give up connecting" };
        let retry = Wake { at: self.retry_at(), reason: "repeat the handshake" };
        Wake::earliest([Some(deadline), Some(retry)])
    }

    /// Writes the next datagram to send to `buffer` and replaces the content of the buffer.
    pub fn poll_transmit(&mut self, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.transmits.pop(buffer).map(|to| Transmit { to })
    }

    /// Sends a CLOSE and finishes the handshake. Some servers have already reserved a slot.
    pub fn close(&mut self, reason: Option<&[u8]>) {
        let reason = self.close_text(reason.unwrap_or_default()).map(ReasonText);
        let (server, out) = (self.server, &mut self.transmits);
        let (close_06, close_07) = (control06::Close { reason }, control07::Close { reason });
        match self.state {
            ConnectState::Any06 { .. } | ConnectState::Plain | ConnectState::V065 { .. } => {
                send_06(None, close_06, None, server, out);
            }
            ConnectState::Tken => send_06(None, close_06, Some(Token::NONE), server, out),
            ConnectState::AskToken { .. } => send_07(Token::NONE, close_07, server, out),
            ConnectState::V07 { theirs, .. } => send_07(theirs, close_07, server, out),
            ConnectState::Finished => {}
        }
        self.state = ConnectState::Finished;
    }

    /// Returns why there is no connection yet: [`CloseReason::OtherDialect`] if the server has answered in a dialect
    /// that was not offered, otherwise [`CloseReason::UnableToConnect`].
    pub fn failure(&self) -> CloseReason {
        self.other_dialect
            .map_or(CloseReason::UnableToConnect, |dialect| CloseReason::OtherDialect { dialect })
    }

    /// Returns the address of the server.
    pub const fn server(&self) -> SocketAddr {
        self.server
    }

    /// Returns whether the handshake is finished, with or without a connection.
    pub fn is_finished(&self) -> bool {
        self.state == ConnectState::Finished
    }

    fn deadline(&self) -> Instant {
        let timeout = match self.state {
            ConnectState::AskToken { .. } => self.config.token_timeout,
            _ => self.config.receive_timeout,
        };
        self.since + timeout
    }

    /// Returns when the datagram is repeated. A client of 0.7 waits for a token half as long as in the other states, so
    /// its request is repeated twice as often.
    fn retry_at(&self) -> Instant {
        let interval = match self.state {
            ConnectState::AskToken { .. } => self.config.retry_after.div_f32(2.0),
            _ => self.config.retry_after,
        };
        self.last_send + interval
    }

    /// Sends the datagram that the server has to answer.
    fn send_request(&mut self) {
        let (server, out, padding) = (self.server, &mut self.transmits, Padding(&PADDING_07));
        let connect = |greeting| control06::Connect { greeting };
        match self.state {
            ConnectState::Any06 { ours: token } => {
                let greeting = ConnectToken::ClientToken { lead: TKEN, token, padding: &PADDING_065 };
                send_06(None, connect(greeting), None, server, out);
            }
            ConnectState::Plain => send_06(None, connect(ConnectToken::Plain), None, server, out),
            ConnectState::Tken => {
                send_06(None, connect(ConnectToken::Tken(&[])), Some(Token::NONE), server, out);
            }
            ConnectState::V065 { ours: token } => {
                let greeting = ConnectToken::ClientToken { lead: [0; 4], token, padding: &PADDING_065 };
                send_06(None, connect(greeting), None, server, out);
            }
            ConnectState::AskToken { ours: token } => {
                send_07(Token::NONE, control07::TokenExchange { token, padding }, server, out);
            }
            ConnectState::V07 { ours: token, theirs } => {
                send_07(theirs, control07::Connect { token, padding }, server, out);
            }
            ConnectState::Finished => {}
        }
    }

    fn on_control_06(
        &mut self,
        now: Instant,
        header: &Header,
        payload: &[u8],
    ) -> Result<ConnectOutcome, PacketError> {
        match (self.state, header.token) {
            (_, None) => {}
            (ConnectState::V065 { ours } | ConnectState::Any06 { ours }, Some(token)) if token == ours => {}
            (ConnectState::V065 { .. } | ConnectState::Any06 { .. }, Some(_)) => {
                return Err(PacketError::WrongToken);
            }
            (_, Some(_)) => return Err(PacketError::Unexpected("token in the header")),
        }
        match payload {
            [CONNECT_ACCEPT, body @ ..] => {
                self.on_connect_accept(now, header.token.is_some(), body).map(ConnectOutcome::Online)
            }
            // A server without tokens has a connection for this client, and its CONNECTACCEPT was lost. A KEEPALIVE
            // with another ack belongs to an earlier connection.
            [KEEP_ALIVE] if header.token.is_none() && header.ack == 0 => {
                self.on_tokens_06(now, LinkTokens::V06).map(ConnectOutcome::Online)
            }
            [CLOSE, body @ ..] => Ok(self.on_close(body)),
            _ => Err(NOT_AN_ANSWER),
        }
    }

    /// Handles CONNECTACCEPT. Its form shows the dialect.
    fn on_connect_accept(&mut self, now: Instant, has_token: bool, body: &[u8]) -> Result<Link, PacketError> {
        let tokens = match body.strip_prefix(&TKEN) {
            _ if has_token => LinkTokens::V065(
                token(body).ok_or(PacketError::Unexpected("CONNECTACCEPT without its token"))?,
            ),
            Some(rest) => LinkTokens::Tken(
                token(rest)
                    .filter(|token| *token != Token::NONE)
                    .ok_or(PacketError::Unexpected("CONNECTACCEPT with the empty token"))?,
            ),
            None => LinkTokens::V06,
        };
        self.on_tokens_06(now, tokens)
    }

    /// Establishes the connection. In plain 0.6 and the dialect of DDNet the client sends ACCEPT. In 0.6.5 its first
    /// packet has the same effect.
    fn on_tokens_06(&mut self, now: Instant, tokens: LinkTokens) -> Result<Link, PacketError> {
        let is_offered = match self.state {
            ConnectState::Any06 { .. } => true,
            ConnectState::Plain => tokens == LinkTokens::V06,
            ConnectState::Tken => matches!(tokens, LinkTokens::Tken(_)),
            ConnectState::V065 { .. } => matches!(tokens, LinkTokens::V065(_)),
            ConnectState::AskToken { .. } | ConnectState::V07 { .. } | ConnectState::Finished => false,
        };
        if !is_offered {
            self.other_dialect = Some(tokens.dialect());
            return Err(PacketError::Unexpected("an answer in another dialect"));
        }
        let mut link = self.finish(tokens, now);
        Ok(match tokens {
            LinkTokens::V06 => {
                link.send_control(ACCEPT, &[]);
                link.confirming(CONNECT, &[])
            }
            LinkTokens::Tken(Token(token)) => {
                link.send_control(ACCEPT, &[]);
                // DDNet before 20 restarts the session after a second ACCEPT of the usual length.
                link.confirming(ACCEPT, &token.to_be_bytes())
            }
            LinkTokens::V065(_) | LinkTokens::V07 { .. } => link,
        })
    }

    fn on_control_07(
        &mut self,
        now: Instant,
        ours: Token,
        payload: &[u8],
    ) -> Result<ConnectOutcome, PacketError> {
        match (self.state, payload) {
            (_, [CLOSE, body @ ..]) => Ok(self.on_close(body)),
            (ConnectState::AskToken { .. }, [TOKEN_07, body @ ..]) => {
                let theirs = token(body).filter(|token| *token != Token::NONE);
                let theirs = theirs.ok_or(PacketError::Unexpected("TOKEN without a token"))?;
                let now = self.clock.advance(now);
                self.state = ConnectState::V07 { ours, theirs };
                (self.since, self.last_send) = (now, now);
                self.send_request();
                Ok(ConnectOutcome::Waiting)
            }
            // DDNet does not repeat a lost ACCEPT. A KEEPALIVE with the client's token also shows that the server has
            // accepted it.
            (ConnectState::V07 { theirs, .. }, [ACCEPT_07, ..] | [KEEP_ALIVE]) => {
                Ok(ConnectOutcome::Online(self.finish(LinkTokens::V07 { ours, theirs }, now)))
            }
            _ => Err(NOT_AN_ANSWER),
        }
    }

    fn on_close(&mut self, body: &[u8]) -> ConnectOutcome {
        // In the dialect of DDNet a token may follow the reason, or replace it.
        let has_trailer = matches!(self.state, ConnectState::Tken | ConnectState::Any06 { .. });
        let is_only_token = has_trailer && body.len() == 4 && body.last() != Some(&0);
        let body = if is_only_token { &[] } else { body };
        self.state = ConnectState::Finished;
        let reason = self.close_text(body).map(|reason| reason.to_string()).unwrap_or_default();
        ConnectOutcome::Refused { reason }
    }

    fn close_text<'a>(&self, bytes: &'a [u8]) -> Option<Text<'a>> {
        self.config.close_text(bytes.get(..MAX_REASON).unwrap_or(bytes))
    }

    /// Creates the link. The link takes over the unsent datagrams.
    fn finish(&mut self, tokens: LinkTokens, now: Instant) -> Link {
        self.state = ConnectState::Finished;
        let now = self.clock.advance(now);
        let config = self.link.unwrap_or_else(|| LinkConfig::of_games(tokens.dialect()));
        let mut link = Link::new(tokens, self.server, config, now);
        link.transmits = core::mem::take(&mut self.transmits);
        link
    }
}
