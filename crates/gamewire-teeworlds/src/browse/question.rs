//! One address, asked in one form.

use core::time::Duration;

use gamewire_machine::{Instant, Wake};
use gamewire_wire::{CodecError, Writer};

use super::heard::Response;
use super::packet::write_message;
use super::parts::Parts;
use super::{BrowserConfig, InfoFormat, read};
use crate::handshake::SeededRng;
use crate::link::PacketError;
use crate::session::info::ServerInfo;
use crate::shared::control::Padding;
use crate::shared::data::{Byte, Token};
use crate::shared::packet::Header;
use crate::{v06, v07};

/// Zeros behind a token that is asked for, so that the answer is no longer than the question.
const PADDING: &[u8] = &[0; 508];
/// A server of 0.7 changes its tokens this often; the last ones hold once more.
const TOKEN_LIFE: Duration = Duration::from_secs(16);
/// How often the further answers of the extended form are asked for once the first is there.
/// A busy server of DDNet leaves its clients out.
const EXTRA_QUERIES: u8 = 2;

/// How far the question has got.
#[derive(Debug)]
enum QueryState {
    Plain {
        token: u8,
    },
    Extended {
        /// 24 bits.
        token: u32,
        parts: Parts,
        /// Repetitions since the first answer.
        repeated: u8,
    },
    /// A token of the server is needed first.
    Token07 {
        ours: Token,
    },
    Info07 {
        ours: Token,
        theirs: Token,
        token: i32,
        since: Instant,
    },
}

/// What a datagram made of a question.
pub(super) enum QueryOutcome {
    /// It helped, but there is more to come.
    Wait,
    /// It is answered.
    Answered(ServerInfo),
    /// It is about something else.
    Other,
}

/// One address, asked in one form.
#[derive(Debug)]
pub(super) struct Query {
    state: QueryState,
    /// A datagram is to be sent.
    is_due: bool,
    asked: Instant,
    /// From when it was last asked until the first answer.
    round_trip: Duration,
    again: Instant,
    deadline: Instant,
}

impl Query {
    pub(super) fn new(
        form: InfoFormat,
        config: &BrowserConfig,
        entropy: &mut SeededRng,
        now: Instant,
    ) -> Self {
        let number = entropy.token();
        let state = match form {
            InfoFormat::Plain => QueryState::Plain { token: number.0.to_be_bytes()[0] },
            InfoFormat::Extended => {
                QueryState::Extended { token: number.0 >> 8, parts: Parts::default(), repeated: 0 }
            }
            InfoFormat::V07 => QueryState::Token07 { ours: number },
        };
        let deadline = now + config.timeout;
        let round_trip = Duration::ZERO;
        let mut question = Self { state, is_due: true, asked: now, round_trip, again: now, deadline };
        question.wait(config, now);
        question
    }

    pub(super) const fn form(&self) -> InfoFormat {
        match self.state {
            QueryState::Plain { .. } => InfoFormat::Plain,
            QueryState::Extended { .. } => InfoFormat::Extended,
            QueryState::Token07 { .. } | QueryState::Info07 { .. } => InfoFormat::V07,
        }
    }

    /// From when it was last asked until the first answer.
    pub(super) const fn round_trip(&self) -> Duration {
        self.round_trip
    }

    /// Sets the time to ask again.
    fn wait(&mut self, config: &BrowserConfig, now: Instant) {
        let pause = match self.state {
            QueryState::Token07 { .. } => config.token_retry_after,
            QueryState::Plain { .. } | QueryState::Extended { .. } | QueryState::Info07 { .. } => {
                config.retry_after
            }
        };
        self.again = now + pause;
    }

    /// The next time at which [`Query::handle_timeout`] has something to do.
    pub(super) fn wake(&self) -> Wake {
        if self.deadline <= self.again {
            Wake { at: self.deadline, reason: "no answer" }
        } else {
            Wake { at: self.again, reason: "ask again" }
        }
    }

    /// Time has passed; whether the question is over.
    pub(super) fn handle_timeout(&mut self, config: &BrowserConfig, now: Instant) -> bool {
        if self.deadline <= now {
            return true;
        }
        if self.again > now {
            return false;
        }
        match &mut self.state {
            QueryState::Extended { parts, repeated, .. } if parts.has_first() => {
                *repeated = repeated.saturating_add(1);
                if *repeated > EXTRA_QUERIES {
                    return true;
                }
            }
            QueryState::Info07 { ours, since, .. } if now.since(*since) >= TOKEN_LIFE => {
                self.state = QueryState::Token07 { ours: *ours };
            }
            _ => {}
        }
        self.is_due = true;
        self.wait(config, now);
        false
    }

    /// What there is when the question is over: an answer of which parts are missing.
    pub(super) fn rest(&mut self) -> Option<ServerInfo> {
        match &mut self.state {
            QueryState::Extended { parts, .. } => parts.take(),
            QueryState::Plain { .. } | QueryState::Token07 { .. } | QueryState::Info07 { .. } => None,
        }
    }

    /// The memory that it holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let parts = match &self.state {
            QueryState::Extended { parts, .. } => parts.held_bytes(),
            QueryState::Plain { .. } | QueryState::Token07 { .. } | QueryState::Info07 { .. } => 0,
        };
        parts.saturating_add(size_of::<Self>())
    }

    /// A datagram came from the address.
    pub(super) fn handle_datagram(
        &mut self,
        heard: &Response<'_>,
        config: &BrowserConfig,
        entropy: &mut SeededRng,
        now: Instant,
    ) -> Result<QueryOutcome, PacketError> {
        match (&mut self.state, heard) {
            (QueryState::Plain { token }, Response::Plain(info)) => {
                right(info.token.value() == i32::from(*token))?;
                self.round_trip = now.since(self.asked);
                Ok(QueryOutcome::Answered(read::plain(info)))
            }
            (QueryState::Extended { token, parts, .. }, Response::Extended(info)) => {
                right(u32::try_from(info.token.value()) == Ok(*token))?;
                new(parts.first(read::extended(info)))?;
                self.round_trip = now.since(self.asked);
                Ok(part(parts))
            }
            (QueryState::Extended { token, parts, .. }, Response::More(more)) => {
                right(u32::try_from(more.token.value()) == Ok(*token))?;
                new(parts.more(more.packet_no.value(), read::extended_clients(&more.clients)))?;
                Ok(part(parts))
            }
            (QueryState::Token07 { ours }, Response::Token { ours: token, theirs }) => {
                right(token == ours && *theirs != Token::NONE)?;
                // Not negative: a server of 0.7 takes -1 for a question without a token.
                let token = (entropy.token().0 >> 1).cast_signed();
                self.state = QueryState::Info07 { ours: *ours, theirs: *theirs, token, since: now };
                self.is_due = true;
                self.wait(config, now);
                Ok(QueryOutcome::Wait)
            }
            (QueryState::Info07 { ours, token, .. }, Response::V07 { ours: header_token, info }) => {
                right(header_token == ours && info.token == *token)?;
                self.round_trip = now.since(self.asked);
                Ok(QueryOutcome::Answered(read::v07(info)))
            }
            _ => Ok(QueryOutcome::Other),
        }
    }

    /// Writes the datagram that is to be sent, if there is one.
    pub(super) fn transmit(&mut self, now: Instant, to: &mut Writer<'_>) -> bool {
        let is_due = core::mem::take(&mut self.is_due);
        if is_due {
            self.asked = now;
        }
        is_due && self.write(to).is_ok()
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        match &self.state {
            QueryState::Plain { token } => {
                let header = v06::wire::packet::ConnlessHeader::Plain([0xff; 6]);
                question_06(header, *token, to)
            }
            QueryState::Extended { token, .. } => {
                let [_, high, middle, low] = token.to_be_bytes();
                let extra_token = u16::from_be_bytes([high, middle]);
                let header = v06::wire::packet::ConnlessHeader::Extended { extra_token, reserved: [0; 2] };
                question_06(header, low, to)
            }
            QueryState::Token07 { ours } => {
                use v07::wire::control::{Control, TokenExchange};
                let header = Header { control: true, token: Some(Token::NONE), ..Header::default() };
                v07::wire::packet::write(&header, to)?;
                Control::Known(TokenExchange { token: *ours, padding: Padding(PADDING) }.into()).encode(to)
            }
            QueryState::Info07 { ours, theirs, token, .. } => {
                use v07::wire::connless::{Connless, RequestInfo};
                let header = v07::wire::packet::ConnlessHeader { token: *theirs, response_token: *ours };
                v07::wire::packet::write_connless(&header, to)?;
                write_message(&Connless::from(RequestInfo { token: *token }), to)
            }
        }
    }
}

fn question_06(
    header: v06::wire::packet::ConnlessHeader,
    token: u8,
    to: &mut Writer<'_>,
) -> Result<(), CodecError> {
    use v06::wire::connless::{Connless, RequestInfo};
    v06::wire::packet::write_connless(&header, to)?;
    write_message(&Connless::from(RequestInfo { token: Byte(token) }), to)
}

fn part(parts: &mut Parts) -> QueryOutcome {
    if parts.is_whole() {
        parts.take().map_or(QueryOutcome::Wait, QueryOutcome::Answered)
    } else {
        QueryOutcome::Wait
    }
}

fn right(is_right: bool) -> Result<(), PacketError> {
    if is_right { Ok(()) } else { Err(PacketError::WrongToken) }
}

fn new(is_new: bool) -> Result<(), PacketError> {
    if is_new { Ok(()) } else { Err(PacketError::Unexpected("an answer that came before")) }
}
