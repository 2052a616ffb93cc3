use std::net::SocketAddr;

use gamewire_machine::{Instant, Wake};

use super::entropy::Entropy;
use super::read::{Arrived, token};
use super::reason::Reason;
use super::written::Written;
use crate::Dialect;
use crate::link::{CloseReason, Link, LinkConfig, LinkTokens, Outbox, Reject};
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
    state: State,
    /// When this state began.
    since: Instant,
    sent: Instant,
}

/// What the server has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
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
pub enum Step {
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
        entropy: &mut Entropy,
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
            Dialect::V06 => State::Plain,
            Dialect::Tken => State::Tken,
            Dialect::V065 => State::V065 { ours },
            Dialect::V07 => State::AskToken { ours },
        };
        let connecting = Self { server, config, state, since: now, sent: now };
        connecting.ask(out);
        connecting
    }

    /// A datagram arrived from the server.
    ///
    /// # Errors
    /// It was dropped, and the handshake is as if it had never come.
    pub fn receive(&mut self, now: Instant, datagram: &[u8], out: &mut Outbox) -> Result<Step, Reject> {
        if self.state == State::Over {
            return Err(Reject::Closed);
        }
        let arrived = Arrived::read(datagram)?;
        match (self.state, arrived) {
            (_, Arrived::Browse06(..) | Arrived::Browse07(..)) => Err(Reject::Connless),
            (State::AskToken { ours } | State::V07 { ours, .. }, Arrived::Control07(token, payload)) => {
                if token != ours {
                    return Err(Reject::WrongToken);
                }
                self.control_07(now, ours, payload, out)
            }
            (State::Plain | State::Tken | State::V065 { .. }, Arrived::Control06(token, payload)) => {
                self.control_06(now, token, payload, out)
            }
            _ => Err(Reject::Unexpected("the handshake is not over")),
        }
    }

    /// Time has passed.
    ///
    /// # Errors
    /// Once, when the server has not answered for too long.
    pub fn handle_timeout(&mut self, now: Instant, out: &mut Outbox) -> Result<(), CloseReason> {
        if self.state == State::Over {
            return Ok(());
        }
        if now >= self.give_up_at() {
            self.state = State::Over;
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
        let retry = Wake { at: self.sent + self.config.retry_after, why: "repeat the handshake" };
        let give_up = Wake { at: self.give_up_at(), why: "give up connecting" };
        (self.state != State::Over).then_some(if give_up.at <= retry.at { give_up } else { retry })
    }

    /// Ends it, and tells the server: some have taken a slot already.
    pub fn close(&mut self, reason: Option<&[u8]>, out: &mut Outbox) {
        let reason = Reason::cut(reason.unwrap_or_default(), &self.config);
        let close = match self.state {
            State::Plain | State::V065 { .. } => Written::Close06(reason),
            State::Tken => Written::CloseTken(reason),
            State::AskToken { .. } => Written::Close07(Token::NONE, reason),
            State::V07 { theirs, .. } => Written::Close07(theirs, reason),
            State::Over => return,
        };
        self.state = State::Over;
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
        self.state == State::Over
    }

    fn give_up_at(&self) -> Instant {
        let patience = match self.state {
            State::AskToken { .. } => self.config.token_timeout,
            _ => self.config.receive_timeout,
        };
        self.since + patience
    }

    /// Sends what the server has to answer.
    fn ask(&self, out: &mut Outbox) {
        let question = match self.state {
            State::Plain => Written::Connect06,
            State::Tken => Written::ConnectTken,
            State::V065 { ours } => Written::Connect065(ours),
            State::AskToken { ours } => Written::AskToken07(ours),
            State::V07 { ours, theirs } => Written::Connect07 { ours, theirs },
            State::Over => return,
        };
        question.send(self.server, out);
    }

    fn control_06(
        &mut self,
        now: Instant,
        token: Option<Token>,
        payload: &[u8],
        out: &mut Outbox,
    ) -> Result<Step, Reject> {
        match (self.state, token) {
            (_, None) => {}
            (State::V065 { ours }, Some(token)) if token == ours => {}
            (State::V065 { .. }, Some(_)) => return Err(Reject::WrongToken),
            (_, Some(_)) => return Err(Reject::Unexpected("a token in the header")),
        }
        match payload {
            [CONNECT_ACCEPT, body @ ..] => Ok(Step::Online(self.online_06(now, token, body, out)?)),
            [CLOSE, body @ ..] => Ok(self.refused(body)),
            _ => Err(Reject::Unexpected("the handshake is not over")),
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
    ) -> Result<Link, Reject> {
        let tokens = match self.state {
            State::V065 { .. } if token_in_header.is_some() => {
                LinkTokens::V065(token(body).ok_or(Reject::Unexpected("CONNECTACCEPT without its token"))?)
            }
            State::Tken => match body.strip_prefix(&TKEN).and_then(token) {
                Some(Token::NONE) => return Err(Reject::Unexpected("a token that stands for none")),
                Some(token) => LinkTokens::Tken(token),
                None => LinkTokens::V06,
            },
            _ => LinkTokens::V06,
        };
        self.state = State::Over;
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
    ) -> Result<Step, Reject> {
        match (self.state, payload) {
            (_, [CLOSE, body @ ..]) => Ok(self.refused(body)),
            (State::AskToken { .. }, [TOKEN_07, body @ ..]) => {
                let theirs = token(body).filter(|token| *token != Token::NONE);
                let theirs = theirs.ok_or(Reject::Unexpected("TOKEN without one"))?;
                self.state = State::V07 { ours, theirs };
                (self.since, self.sent) = (now, now);
                self.ask(out);
                Ok(Step::Waiting)
            }
            // DDNet does not say ACCEPT again when the first one is lost; a KEEPALIVE with our
            // token tells as well that it has let us in.
            (State::V07 { theirs, .. }, [ACCEPT_07, ..] | [KEEP_ALIVE]) => {
                self.state = State::Over;
                let tokens = LinkTokens::V07 { ours, theirs };
                Ok(Step::Online(Link::new(tokens, self.server, self.config, now)))
            }
            _ => Err(Reject::Unexpected("the handshake is not over")),
        }
    }

    fn refused(&mut self, body: &[u8]) -> Step {
        // In DDNet's dialect a token may follow the reason, or stand in its place.
        let is_token_alone = self.state == State::Tken && body.len() == 4 && body.last() != Some(&0);
        let body = if is_token_alone { &[] } else { body };
        self.state = State::Over;
        Step::Refused { reason: Reason::cut(body, &self.config).shown() }
    }
}
