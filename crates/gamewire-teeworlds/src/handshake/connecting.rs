use std::net::SocketAddr;

use gamewire_machine::{Instant, Wake};

use super::entropy::SeededRng;
use super::read::{Unconnected, token};
use super::reason::CloseText;
use super::written::HandshakePacket;
use crate::Dialect;
use crate::link::{CloseReason, Link, LinkConfig, LinkTokens, Outbox, PacketError};
use crate::shared::control::TKEN;
use crate::shared::data::Token;

const KEEP_ALIVE: u8 = 0;
const CONNECT_ACCEPT: u8 = 2;
const ACCEPT: u8 = 3;
/// ACCEPT of 0.7.
const ACCEPT_07: u8 = 2;
const CLOSE: u8 = 4;
const TOKEN_07: u8 = 5;

/// The client's side of a handshake: from nothing to a [`Link`].
///
/// [`Dialect::Tken`] and [`Dialect::V065`] are offers; a server that answers without a token gets a
/// plain connection, as the games do it. What was sent is repeated every
/// [`LinkConfig::retry_after`] until there is an answer.
#[derive(Debug)]
pub struct Connecting {
    server: SocketAddr,
    config: LinkConfig,
    state: ConnectState,
    /// When this state began.
    since: Instant,
    sent: Instant,
}

/// What the server has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectState {
    /// Plain CONNECT.
    Plain,
    /// CONNECT with the mark of DDNet.
    Tken,
    /// CONNECT of 0.6.5 with our token.
    V065 { ours: Token },
    /// TOKEN of 0.7 with our token.
    AskToken { ours: Token },
    /// CONNECT of 0.7.
    V07 { ours: Token, theirs: Token },
    /// Nothing: it ended without a connection, or with one that the owner has.
    Over,
}

/// What a datagram of the server led to.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
#[derive(Debug)]
pub enum ConnectOutcome {
    /// The handshake goes on.
    Waiting,
    /// There is a connection. This is over.
    Online(Link),
    /// The server answered with a CLOSE. This is over.
    Refused {
        /// Why, as it said, fit to be shown; empty when it did not.
        reason: String,
    },
}

impl Connecting {
    /// Offers `offer` to `server`, and sends the first datagram.
    pub fn new(
        offer: Dialect,
        server: SocketAddr,
        config: LinkConfig,
        entropy: &mut SeededRng,
        now: Instant,
        out: &mut Outbox,
    ) -> Self {
        Self::with_token(offer, server, config, entropy.token(), now, out)
    }

    pub(super) fn with_token(
        offer: Dialect,
        server: SocketAddr,
        config: LinkConfig,
        ours: Token,
        now: Instant,
        out: &mut Outbox,
    ) -> Self {
        let state = match offer {
            Dialect::V06 => ConnectState::Plain,
            Dialect::Tken => ConnectState::Tken,
            Dialect::V065 => ConnectState::V065 { ours },
            Dialect::V07 => ConnectState::AskToken { ours },
        };
        let connecting = Self { server, config, state, since: now, sent: now };
        connecting.ask(out);
        connecting
    }

    /// A datagram arrived from the server.
    ///
    /// # Errors
    /// It was dropped, and the handshake is as if it had never come.
    pub fn receive(
        &mut self,
        now: Instant,
        datagram: &[u8],
        out: &mut Outbox,
    ) -> Result<ConnectOutcome, PacketError> {
        if self.state == ConnectState::Over {
            return Err(PacketError::Closed);
        }
        let arrived = Unconnected::read(datagram)?;
        match (self.state, arrived) {
            (_, Unconnected::Browse06(..) | Unconnected::Browse07(..)) => Err(PacketError::Connless),
            (
                ConnectState::AskToken { ours } | ConnectState::V07 { ours, .. },
                Unconnected::Control07(token, payload),
            ) => {
                if token != ours {
                    return Err(PacketError::WrongToken);
                }
                self.control_07(now, ours, payload, out)
            }
            (
                ConnectState::Plain | ConnectState::Tken | ConnectState::V065 { .. },
                Unconnected::Control06(token, payload),
            ) => self.control_06(now, token, payload, out),
            _ => Err(PacketError::Unexpected("the handshake is not over")),
        }
    }

    /// Time has passed.
    ///
    /// # Errors
    /// Once, when the server has not answered for too long.
    pub fn handle_timeout(&mut self, now: Instant, out: &mut Outbox) -> Result<(), CloseReason> {
        if self.state == ConnectState::Over {
            return Ok(());
        }
        if now >= self.deadline() {
            self.state = ConnectState::Over;
            return Err(CloseReason::UnableToConnect);
        }
        if now >= self.sent + self.config.retry_after {
            self.sent = now;
            self.ask(out);
        }
        Ok(())
    }

    /// The next time at which [`Connecting::handle_timeout`] has something to do; `None` when this
    /// is over.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Wake> {
        let retry = Wake { at: self.sent + self.config.retry_after, reason: "repeat the handshake" };
        let give_up = Wake { at: self.deadline(), reason: "give up connecting" };
        (self.state != ConnectState::Over).then_some(if give_up.at <= retry.at { give_up } else { retry })
    }

    /// Ends it, and tells the server: some have taken a slot already.
    pub fn close(&mut self, reason: Option<&[u8]>, out: &mut Outbox) {
        let reason = CloseText::cut(reason.unwrap_or_default(), &self.config);
        let close = match self.state {
            ConnectState::Plain | ConnectState::V065 { .. } => HandshakePacket::Close06(reason),
            ConnectState::Tken => HandshakePacket::CloseTken(reason),
            ConnectState::AskToken { .. } => HandshakePacket::Close07(Token::NONE, reason),
            ConnectState::V07 { theirs, .. } => HandshakePacket::Close07(theirs, reason),
            ConnectState::Over => return,
        };
        self.state = ConnectState::Over;
        close.send(self.server, out);
    }

    /// The server.
    #[must_use]
    pub const fn server(&self) -> SocketAddr {
        self.server
    }

    /// Whether this is over: with a connection, without one, or closed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state == ConnectState::Over
    }

    fn deadline(&self) -> Instant {
        let patience = match self.state {
            ConnectState::AskToken { .. } => self.config.token_timeout,
            _ => self.config.receive_timeout,
        };
        self.since + patience
    }

    /// Sends what the server has to answer.
    fn ask(&self, out: &mut Outbox) {
        let question = match self.state {
            ConnectState::Plain => HandshakePacket::Connect06,
            ConnectState::Tken => HandshakePacket::ConnectTken,
            ConnectState::V065 { ours } => HandshakePacket::Connect065(ours),
            ConnectState::AskToken { ours } => HandshakePacket::AskToken07(ours),
            ConnectState::V07 { ours, theirs } => HandshakePacket::Connect07 { ours, theirs },
            ConnectState::Over => return,
        };
        question.send(self.server, out);
    }

    fn control_06(
        &mut self,
        now: Instant,
        token: Option<Token>,
        payload: &[u8],
        out: &mut Outbox,
    ) -> Result<ConnectOutcome, PacketError> {
        match (self.state, token) {
            (_, None) => {}
            (ConnectState::V065 { ours }, Some(token)) if token == ours => {}
            (ConnectState::V065 { .. }, Some(_)) => return Err(PacketError::WrongToken),
            (_, Some(_)) => return Err(PacketError::Unexpected("a token in the header")),
        }
        match payload {
            [CONNECT_ACCEPT, body @ ..] => Ok(ConnectOutcome::Online(self.online_06(now, token, body, out)?)),
            [CLOSE, body @ ..] => Ok(self.refused(body)),
            _ => Err(PacketError::Unexpected("the handshake is not over")),
        }
    }

    /// The connection that CONNECTACCEPT begins. In plain 0.6 and DDNet's dialect the client says
    /// that it has seen it; in 0.6.5 its first packet does.
    fn online_06(
        &mut self,
        now: Instant,
        token_in_header: Option<Token>,
        body: &[u8],
        out: &mut Outbox,
    ) -> Result<Link, PacketError> {
        let tokens = match self.state {
            ConnectState::V065 { .. } if token_in_header.is_some() => LinkTokens::V065(
                token(body).ok_or(PacketError::Unexpected("CONNECTACCEPT without its token"))?,
            ),
            ConnectState::Tken => match body.strip_prefix(&TKEN).and_then(token) {
                Some(Token::NONE) => return Err(PacketError::Unexpected("a token that stands for none")),
                Some(token) => LinkTokens::Tken(token),
                None => LinkTokens::V06,
            },
            _ => LinkTokens::V06,
        };
        self.state = ConnectState::Over;
        let mut link = Link::new(tokens, self.server, self.config, now);
        if !matches!(tokens, LinkTokens::V065(_)) {
            link.send_control(now, ACCEPT, &[], out);
        }
        Ok(link)
    }

    fn control_07(
        &mut self,
        now: Instant,
        ours: Token,
        payload: &[u8],
        out: &mut Outbox,
    ) -> Result<ConnectOutcome, PacketError> {
        match (self.state, payload) {
            (_, [CLOSE, body @ ..]) => Ok(self.refused(body)),
            (ConnectState::AskToken { .. }, [TOKEN_07, body @ ..]) => {
                let theirs = token(body).filter(|token| *token != Token::NONE);
                let theirs = theirs.ok_or(PacketError::Unexpected("TOKEN without one"))?;
                self.state = ConnectState::V07 { ours, theirs };
                (self.since, self.sent) = (now, now);
                self.ask(out);
                Ok(ConnectOutcome::Waiting)
            }
            // DDNet does not say ACCEPT again when the first one is lost; a KEEPALIVE with our
            // token tells as well that it has let us in.
            (ConnectState::V07 { theirs, .. }, [ACCEPT_07, ..] | [KEEP_ALIVE]) => {
                self.state = ConnectState::Over;
                let tokens = LinkTokens::V07 { ours, theirs };
                Ok(ConnectOutcome::Online(Link::new(tokens, self.server, self.config, now)))
            }
            _ => Err(PacketError::Unexpected("the handshake is not over")),
        }
    }

    fn refused(&mut self, body: &[u8]) -> ConnectOutcome {
        // In DDNet's dialect a token may follow the reason, or stand in its place.
        let is_token_alone = self.state == ConnectState::Tken && body.len() == 4 && body.last() != Some(&0);
        let body = if is_token_alone { &[] } else { body };
        self.state = ConnectState::Over;
        ConnectOutcome::Refused { reason: CloseText::cut(body, &self.config).shown() }
    }
}
