//! Joining the server again after the connection was lost.

use core::time::Duration;

use gamewire_machine::Instant;

use super::{Client, ClientState, ConnectRequest, Event};
use crate::connection::{Connection, ConnectionConfig};
use crate::{ClientId, DisconnectReason, Endpoint, ExceededLimit, RejectReason};

/// Everything that a client needs to join its server again.
#[derive(Debug)]
pub(super) struct Rejoin {
    pub(super) config: ConnectionConfig,
    pub(super) request: ConnectRequest,
    /// Maximum time from the loss of a connection to the next one.
    pub(super) timeout: Duration,
    /// Time from which a request may follow a loss at once, so that a server that closes each new connection is not asked
    /// faster than one that is silent.
    pub(super) next_request: Instant,
    /// The connection that was lost, while the client joins again.
    pub(super) lost: Option<LostConnection>,
}

/// A connection that was lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct LostConnection {
    reason: DisconnectReason,
    exceeded: Option<ExceededLimit>,
    unacked: usize,
    give_up: Instant,
}

impl LostConnection {
    /// Returns the event of the connection that replaced this one.
    pub(super) const fn replaced_by(self, id: ClientId) -> Event {
        Event::Reconnected { id, reason: self.reason, unacked: self.unacked }
    }
}

impl Client {
    /// Begins to join again if `event` is the loss of a connection, or a failed attempt to join again. Otherwise returns
    /// the last event of the client.
    pub(super) fn rejoin(&mut self, event: Event) -> Option<Event> {
        let now = self.clock.now();
        let Some((server, rejoin)) = self.server.zip(self.rejoin.as_mut()) else { return Some(event) };
        let (start, give_up) = match (&event, rejoin.lost, &self.state) {
            (Event::Disconnected { reason, exceeded, .. }, None, ClientState::Connected(_))
                if is_loss(*reason) =>
            {
                let give_up = now + rejoin.timeout;
                self.connection.link.close();
                let unacked = self.connection.link.unacked_at_end();
                rejoin.lost = Some(LostConnection { reason: *reason, exceeded: *exceeded, unacked, give_up });
                let start = now.max(rejoin.next_request);
                rejoin.next_request = start + rejoin.config.link.heartbeat_interval;
                (start, give_up)
            }
            (
                Event::ConnectionFailed { reason: refusal, .. },
                Some(LostConnection { reason, exceeded, give_up, .. }),
                _,
            ) if may_pass(*refusal, self.records.is_some()) => {
                if now >= give_up {
                    return Some(Event::Disconnected { reason, data: None, exceeded });
                }
                // A refusal does not make the requests more frequent than silence does.
                (now + rejoin.config.link.heartbeat_interval, give_up)
            }
            _ => return Some(event),
        };
        let mut config = rejoin.config;
        config.link.max_connection_attempts = attempts(give_up.since(start), config.link.heartbeat_interval);
        self.connection = Connection::client(self.connection.format, Endpoint::Udp(server), &config, start);
        self.state = ClientState::Connecting(rejoin.request.clone());
        if let Some(records) = &mut self.records {
            records.restart(now);
        }
        if start == now && self.connection.handle_timeout(now, &mut self.transmits) && self.may_request() {
            self.request_connection();
        }
        None
    }
}

/// Returns the number of connect requests that take a time, at least 1.
fn attempts(time: Duration, interval: Duration) -> u32 {
    let requests = time.as_micros().div_ceil(interval.as_micros().max(1));
    u32::try_from(requests).unwrap_or(u32::MAX).max(1)
}

/// Returns whether a request may succeed later. A server keeps the lost connection until its own timeout; it does not know
/// that the request in a new encrypted session is from the same client, so the lost connection can take the last place.
const fn may_pass(refusal: RejectReason, has_records: bool) -> bool {
    match refusal {
        RejectReason::NoConnection | RejectReason::AlreadyConnected => true,
        RejectReason::ServerFull => has_records,
        _ => false,
    }
}

/// Returns whether a connection with this reason was lost. Otherwise one of the ends closed it.
const fn is_loss(reason: DisconnectReason) -> bool {
    matches!(
        reason,
        DisconnectReason::TimedOut | DisconnectReason::PoorConnection | DisconnectReason::TransportError
    )
}
