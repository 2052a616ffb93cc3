use core::time::Duration;

use gamewire_machine::{Instant, Wake};
use gamewire_wire::{Result, Writer};

use super::packet::{Response, encode_message};
use super::{BrowserConfig, InfoFormat, decode};
use crate::handshake::SeededRng;
use crate::link::PacketError;
use crate::model::info::{ClientEntry, MAX_CLIENTS, ServerInfo};
use crate::shared::control::Padding;
use crate::shared::data::{Byte, Token};
use crate::shared::packet::Header;
use crate::{v06, v07};

/// Padding of a token request, so that the answer is not longer than the request.
const PADDING: &[u8] = &[0; 508];
/// Interval at which a server of 0.7 changes its tokens. The previous ones stay valid for another interval.
const TOKEN_LIFE: Duration = Duration::from_secs(16);
/// Maximum number of times that a request is repeated after the first datagram of the extended format was received.
/// Repeating helps because a busy server of DDNet omits its clients.
const MAX_EXTRA_QUERIES: u8 = 2;

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there are few")]
enum QueryState {
    Plain {
        token: u8,
    },
    Extended {
        /// 24 bits.
        token: u32,
        parts: Parts,
        /// Number of repetitions after the first datagram.
        repetitions: u8,
    },
    /// Waits for a token of the server.
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

/// The result of handling a response.
#[allow(clippy::large_enum_variant, reason = "it is matched immediately")]
pub(super) enum QueryOutcome {
    /// The response was accepted, but the answer is not complete.
    Pending,
    /// The answer is complete.
    Answered(ServerInfo),
    /// The response is not for this query.
    Other,
}

/// A query of one address in one format.
#[derive(Debug)]
pub(super) struct Query {
    state: QueryState,
    /// A datagram must be sent.
    is_due: bool,
    /// Time of the last request.
    last_send: Instant,
    /// Time from the last request to the first datagram of the answer.
    round_trip: Duration,
    retry_at: Instant,
    deadline: Instant,
}

impl Query {
    pub(super) fn new(format: InfoFormat, config: &BrowserConfig, rng: &mut SeededRng, now: Instant) -> Self {
        let number = rng.token();
        let state = match format {
            InfoFormat::Plain => QueryState::Plain { token: number.0.to_be_bytes()[0] },
            InfoFormat::Extended => {
                QueryState::Extended { token: number.0 >> 8, parts: Parts::default(), repetitions: 0 }
            }
            InfoFormat::V07 => QueryState::Token07 { ours: number },
        };
        let deadline = now + config.timeout;
        let round_trip = Duration::ZERO;
        let mut query = Self { state, is_due: true, last_send: now, round_trip, retry_at: now, deadline };
        query.schedule_retry(config, now);
        query
    }

    pub(super) const fn format(&self) -> InfoFormat {
        match self.state {
            QueryState::Plain { .. } => InfoFormat::Plain,
            QueryState::Extended { .. } => InfoFormat::Extended,
            QueryState::Token07 { .. } | QueryState::Info07 { .. } => InfoFormat::V07,
        }
    }

    /// Returns the time from the last request to the first datagram of the answer.
    pub(super) const fn round_trip(&self) -> Duration {
        self.round_trip
    }

    /// Sets the time of the next request.
    fn schedule_retry(&mut self, config: &BrowserConfig, now: Instant) {
        let interval = match self.state {
            QueryState::Token07 { .. } => config.token_retry_after,
            QueryState::Plain { .. } | QueryState::Extended { .. } | QueryState::Info07 { .. } => {
                config.retry_after
            }
        };
        self.retry_at = now + interval;
    }

    /// Returns the next time at which [`Query::handle_timeout`] is due.
    pub(super) fn poll_timeout(&self) -> Wake {
        if self.deadline <= self.retry_at {
            Wake { at: self.deadline, reason: "no answer" }
        } else {
            Wake { at: self.retry_at, reason: "ask again" }
        }
    }

    /// Repeats the request if it is due. Returns whether the query timed out.
    pub(super) fn handle_timeout(&mut self, config: &BrowserConfig, now: Instant) -> bool {
        if self.deadline <= now {
            return true;
        }
        if self.retry_at > now {
            return false;
        }
        match &mut self.state {
            QueryState::Extended { parts, repetitions, .. } if parts.has_first() => {
                *repetitions = repetitions.saturating_add(1);
                if *repetitions > MAX_EXTRA_QUERIES {
                    return true;
                }
            }
            QueryState::Info07 { ours, since, .. } if now.since(*since) >= TOKEN_LIFE => {
                self.state = QueryState::Token07 { ours: *ours };
            }
            _ => {}
        }
        self.is_due = true;
        self.schedule_retry(config, now);
        false
    }

    /// Returns the received part of the answer, if the query timed out.
    pub(super) fn take_partial(&mut self) -> Option<ServerInfo> {
        match &mut self.state {
            QueryState::Extended { parts, .. } => parts.take(),
            QueryState::Plain { .. } | QueryState::Token07 { .. } | QueryState::Info07 { .. } => None,
        }
    }

    /// Returns the memory of the query in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let parts = match &self.state {
            QueryState::Extended { parts, .. } => parts.held_bytes(),
            QueryState::Plain { .. } | QueryState::Token07 { .. } | QueryState::Info07 { .. } => 0,
        };
        parts.saturating_add(size_of::<Self>())
    }

    /// Handles a datagram of the address.
    pub(super) fn on_response(
        &mut self,
        response: &Response<'_>,
        config: &BrowserConfig,
        rng: &mut SeededRng,
        now: Instant,
    ) -> Result<QueryOutcome, PacketError> {
        match (&mut self.state, response) {
            (QueryState::Plain { token }, Response::Plain(info)) => {
                check_token(info.token.value() == i32::from(*token))?;
                self.round_trip = now.since(self.last_send);
                Ok(QueryOutcome::Answered(decode::plain(info)))
            }
            (QueryState::Extended { token, parts, .. }, Response::Extended(info)) => {
                check_token(u32::try_from(info.token.value()) == Ok(*token))?;
                check_new(parts.add_first(decode::extended(info)))?;
                self.round_trip = now.since(self.last_send);
                Ok(outcome(parts))
            }
            (QueryState::Extended { token, parts, .. }, Response::ExtendedMore(more)) => {
                check_token(u32::try_from(more.token.value()) == Ok(*token))?;
                check_new(parts.add_more(more.packet_no.value(), decode::extended_clients(&more.clients)))?;
                Ok(outcome(parts))
            }
            (QueryState::Token07 { ours }, Response::Token { ours: token, theirs }) => {
                check_token(token == ours && *theirs != Token::NONE)?;
                // Not negative: a server of 0.7 treats -1 as a request without a token.
                let token = (rng.token().0 >> 1).cast_signed();
                self.state = QueryState::Info07 { ours: *ours, theirs: *theirs, token, since: now };
                self.is_due = true;
                self.schedule_retry(config, now);
                Ok(QueryOutcome::Pending)
            }
            (QueryState::Info07 { ours, token, .. }, Response::V07 { ours: header_token, info }) => {
                check_token(header_token == ours && info.token == *token)?;
                self.round_trip = now.since(self.last_send);
                Ok(QueryOutcome::Answered(decode::v07(info)))
            }
            _ => Ok(QueryOutcome::Other),
        }
    }

    /// Writes the next datagram to send. Returns whether there is one.
    pub(super) fn poll_transmit(&mut self, now: Instant, to: &mut Writer<'_>) -> bool {
        let is_due = core::mem::take(&mut self.is_due);
        if is_due {
            self.last_send = now;
        }
        is_due && self.encode(to).is_ok()
    }

    fn encode(&self, to: &mut Writer<'_>) -> Result<()> {
        match &self.state {
            QueryState::Plain { token } => {
                let header = v06::packet::ConnlessHeader::Plain([0xff; 6]);
                encode_request_06(header, *token, to)
            }
            QueryState::Extended { token, .. } => {
                let [_, high, middle, low] = token.to_be_bytes();
                let extra_token = u16::from_be_bytes([high, middle]);
                let header = v06::packet::ConnlessHeader::Extended { extra_token, reserved: [0; 2] };
                encode_request_06(header, low, to)
            }
            QueryState::Token07 { ours } => {
                use v07::control::{Control, TokenExchange};
                let header = Header { control: true, token: Some(Token::NONE), ..Header::default() };
                v07::packet::write(&header, to)?;
                Control::Known(TokenExchange { token: *ours, padding: Padding(PADDING) }.into()).encode(to)
            }
            QueryState::Info07 { ours, theirs, token, .. } => {
                use v07::connless::{Connless, RequestInfo};
                let header = v07::packet::ConnlessHeader { token: *theirs, response_token: *ours };
                v07::packet::write_connless(&header, to)?;
                encode_message(&Connless::from(RequestInfo { token: *token }), to)
            }
        }
    }
}

fn encode_request_06(header: v06::packet::ConnlessHeader, token: u8, to: &mut Writer<'_>) -> Result<()> {
    use v06::connless::{Connless, RequestInfo};
    v06::packet::write_connless(&header, to)?;
    encode_message(&Connless::from(RequestInfo { token: Byte(token) }), to)
}

fn outcome(parts: &mut Parts) -> QueryOutcome {
    if parts.is_complete() {
        parts.take().map_or(QueryOutcome::Pending, QueryOutcome::Answered)
    } else {
        QueryOutcome::Pending
    }
}

fn check_token(is_valid: bool) -> Result<(), PacketError> {
    if is_valid { Ok(()) } else { Err(PacketError::WrongToken) }
}

fn check_new(is_new: bool) -> Result<(), PacketError> {
    if is_new { Ok(()) } else { Err(PacketError::Unexpected("repeated answer")) }
}

/// Maximum number of datagrams. DDNet numbers them from 0 to 63.
const MAX_PARTS: i32 = 64;

/// The received datagrams of an answer in the extended format.
#[derive(Debug, Default)]
pub(super) struct Parts {
    first: Option<ServerInfo>,
    /// The clients of the other datagrams, each with the number of its datagram. Sorted by number.
    more: Vec<(i32, Vec<ClientEntry>)>,
}

impl Parts {
    /// Adds the first datagram. Returns whether it is new.
    pub(super) fn add_first(&mut self, info: ServerInfo) -> bool {
        let is_new = self.first.is_none();
        if is_new {
            self.first = Some(info);
        }
        is_new
    }

    /// Adds another datagram. Returns whether it is new, valid and needed.
    pub(super) fn add_more(&mut self, number: i32, clients: Vec<ClientEntry>) -> bool {
        if !(1..MAX_PARTS).contains(&number) || self.more_clients() >= MAX_CLIENTS {
            return false;
        }
        match self.more.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(_) => false,
            Err(index) => {
                self.more.insert(index, (number, clients));
                true
            }
        }
    }

    /// Returns the heap memory in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let more = self.more.iter().flat_map(|(_, clients)| clients).map(ClientEntry::held_bytes);
        more.chain(self.first.iter().map(ServerInfo::held_bytes)).sum()
    }

    /// Returns whether the first datagram was received.
    pub(super) const fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// Returns the number of clients in the other datagrams.
    fn more_clients(&self) -> usize {
        self.more.iter().map(|(_, clients)| clients.len()).sum()
    }

    /// Returns whether all clients were received.
    pub(super) fn is_complete(&self) -> bool {
        self.first.as_ref().is_some_and(|first| {
            let wanted = usize::try_from(first.num_clients).unwrap_or(0).min(MAX_CLIENTS);
            first.clients.len().saturating_add(self.more_clients()) >= wanted
        })
    }

    /// Returns everything that was received, if the first datagram was.
    pub(super) fn take(&mut self) -> Option<ServerInfo> {
        let mut info = self.first.take()?;
        info.clients.extend(self.more.drain(..).flat_map(|(_, clients)| clients));
        info.clients.truncate(MAX_CLIENTS);
        Some(info)
    }
}
