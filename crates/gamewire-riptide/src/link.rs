//! The state of one connection of either format: reliable and notify messages, acks, retransmissions, heartbeats,
//! timeouts and quality limits.
//!
//! A [`Link`] works on decoded fields: it knows no address, no client id and no header. Its owner passes the fields of
//! each packet, sends what [`Link::poll_send`] and [`Link::handle_timeout`] return, and then drains
//! [`Link::poll_event`].
//!
//! Comments mark the places where a bug of a C# library release loses messages, and this link does not.

mod config;
mod event;
mod metrics;
mod notify;
mod quality;
mod receive;
mod receive_window;
mod rtt;
mod send;
mod send_buffer;
mod send_window;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod timer;

pub use config::{ConnectionSettings, LinkConfig, OnSendExhausted};
pub(crate) use event::{CloseCause, Event};
pub use event::{ConnectionLimit, DeliveryOutcome, ExceededLimit};
pub use metrics::Metrics;
pub use quality::{NotifyWindow, RollingSends};
pub(crate) use receive::ReceiveOutcome;
pub(crate) use timer::TickAction;

use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use self::notify::{NotifyReceived, NotifySent};
use self::quality::Quality;
use self::receive_window::ReceivedIds;
use self::rtt::{Ping, ResendTimeout, RoundTrip};
use self::send_window::SendWindow;

/// The state of one connection, from the connect request to its end.
#[derive(Debug)]
pub(crate) struct Link {
    config: LinkConfig,
    pub(crate) settings: ConnectionSettings,
    phase: Phase,
    received: ReceivedIds,
    sent: SendWindow,
    /// Number of reliable messages without an ack at the end of the connection.
    unacked_at_end: usize,
    /// The newest reliable message that the peer has acknowledged.
    last_acked: u16,
    /// Time of the last ack that acknowledged a message, or of the first message that was sent after all earlier ones
    /// had been acknowledged.
    last_progress: Instant,
    notify_sent: NotifySent,
    notify_received: NotifyReceived,
    round_trip: RoundTrip,
    /// The retransmission timeout, computed from the round-trip time.
    pace: ResendTimeout,
    ping: Ping,
    /// Time of the last heartbeat or handshake packet.
    last_heartbeat: Instant,
    pub(crate) metrics: Metrics,
    quality: Quality,
    delivery_events: bool,
    events: VecDeque<Event>,
}

/// The phase of a connection with its timer. A client's timer ticks at each heartbeat interval; a server's fires only at
/// a timeout.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Connecting { next_tick: Instant, attempts: u32 },
    ClientPending { next_tick: Instant },
    ClientConnected { next_tick: Instant },
    ServerPending { since: Instant },
    Accepted { since: Instant },
    ServerConnected { since: Instant },
    Ended,
}

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ConnectionState {
    /// The client requests the connection (`IsConnecting`).
    Connecting,
    /// The server's application has yet to decide (`IsPending`).
    Pending,
    /// The server awaits the echo of its Welcome (`IsPending`).
    Accepted,
    /// The connection is established (`IsConnected`).
    Connected,
    /// The connection is closed (`IsNotConnected`).
    Ended,
}

impl Link {
    /// Creates a client's link. Its first connect request is due `now`: see [`Link::handle_timeout`].
    pub(crate) fn client(config: LinkConfig, settings: ConnectionSettings, now: Instant) -> Self {
        Self::new(config, settings, now, Phase::Connecting { next_tick: now, attempts: 0 })
    }

    /// Creates a server's link for a connect request that arrived `now`.
    pub(crate) fn server(config: LinkConfig, settings: ConnectionSettings, now: Instant) -> Self {
        Self::new(config, settings, now, Phase::ServerPending { since: now })
    }

    fn new(config: LinkConfig, settings: ConnectionSettings, now: Instant, phase: Phase) -> Self {
        Self {
            config,
            settings,
            phase,
            received: ReceivedIds::default(),
            sent: SendWindow::new(1),
            unacked_at_end: 0,
            last_acked: 0,
            last_progress: now,
            notify_sent: NotifySent::default(),
            notify_received: NotifyReceived::default(),
            round_trip: RoundTrip::default(),
            pace: ResendTimeout::new(&config, &RoundTrip::default()),
            ping: Ping::default(),
            last_heartbeat: now,
            metrics: Metrics::default(),
            quality: Quality::default(),
            delivery_events: true,
            events: VecDeque::new(),
        }
    }

    /// Handles a measured round trip in milliseconds.
    fn on_rtt_sample(&mut self, millis: i16) {
        self.round_trip.sample(millis);
        self.pace = ResendTimeout::new(&self.config, &self.round_trip);
    }

    /// Marks a reliable message as acknowledged.
    fn delivered(&mut self, now: Instant, seq_id: u16) {
        if let Some(attempts) = self.sent.ack(seq_id) {
            self.last_progress = now;
            self.was_delivered(seq_id, attempts);
        }
    }

    /// Counts a reliable message that was acknowledged after `attempts` sends.
    #[inline(always)]
    fn was_delivered(&mut self, seq_id: u16, attempts: u16) {
        self.metrics.rolling_reliable_sends.add(attempts);
        self.emit(seq_id, DeliveryOutcome::ReliableDelivered);
        if let Some(poor) = self.quality.delivered(&self.metrics, &self.settings) {
            self.close_if_poor(poor);
        }
    }

    /// Checks the loss rate of notify messages. Call it when one was delivered or lost.
    fn notified(&mut self) {
        if let Some(poor) = self.quality.notified(&self.metrics, &self.settings) {
            self.close_if_poor(poor);
        }
    }

    #[cold]
    fn close_if_poor(&mut self, poor: ConnectionLimit) {
        let may = self.is_connected()
            && self.settings.can_quality_disconnect
            && self.config.on_send_exhausted == OnSendExhausted::Disconnect;
        if may {
            self.end(CloseCause::Exceeded(poor));
        }
    }

    /// Emits an event about the delivery of a message.
    #[inline]
    fn emit(&mut self, seq_id: u16, outcome: DeliveryOutcome) {
        if self.delivery_events && !self.is_ended() {
            self.events.push_back(Event::Delivery { seq_id, outcome });
        }
    }

    fn end(&mut self, end: CloseCause) {
        if !self.is_ended() {
            self.events.push_back(Event::Closed(end));
        }
        self.close();
    }

    /// Returns the limit that the connection exceeded with its state `now`.
    pub(crate) fn exceeded(&self, now: Instant, limit: ConnectionLimit) -> ExceededLimit {
        ExceededLimit { limit, silence: now.since(self.last_heartbeat), rtt: self.rtt() }
    }

    /// Closes the connection without an event, and frees its memory.
    pub(crate) fn close(&mut self) {
        self.phase = Phase::Ended;
        self.unacked_at_end = self.unacked_at_end.max(self.sent.waiting());
        self.sent = SendWindow::new(1);
    }

    /// Enables or disables events about the delivery of messages. Default: enabled. The link always emits
    /// [`Event::Closed`].
    pub(crate) const fn set_delivery_events(&mut self, enabled: bool) {
        self.delivery_events = enabled;
    }

    /// Returns the next event. The last one is [`Event::Closed`], if the link closed the connection.
    pub(crate) fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Returns whether an event waits.
    #[inline]
    pub(crate) fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Returns the state.
    #[inline]
    pub(crate) const fn state(&self) -> ConnectionState {
        match self.phase {
            Phase::Connecting { .. } => ConnectionState::Connecting,
            Phase::ClientPending { .. } | Phase::ServerPending { .. } => ConnectionState::Pending,
            Phase::Accepted { .. } => ConnectionState::Accepted,
            Phase::ClientConnected { .. } | Phase::ServerConnected { .. } => ConnectionState::Connected,
            Phase::Ended => ConnectionState::Ended,
        }
    }

    const fn is_connected(&self) -> bool {
        matches!(self.state(), ConnectionState::Connected)
    }

    pub(crate) const fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// Replaces the settings. The timeout restarts if [`ConnectionSettings::can_timeout`] is set, even if it was set
    /// before, as in the C# library.
    pub(crate) const fn set_settings(&mut self, now: Instant, settings: ConnectionSettings) {
        if settings.can_timeout {
            self.last_heartbeat = now;
        }
        self.settings = settings;
    }

    /// Replaces what happens after the last attempt to send a reliable message.
    pub(crate) const fn set_on_send_exhausted(&mut self, action: OnSendExhausted) {
        self.config.on_send_exhausted = action;
    }

    /// Returns the last round-trip time (`RTT`), in whole milliseconds. A server receives it from its client.
    pub(crate) fn rtt(&self) -> Option<Duration> {
        self.round_trip.latest_millis().map(|millis| Duration::from_millis(millis.into()))
    }

    /// Returns the smoothed round-trip time (`SmoothRTT`), in whole milliseconds.
    pub(crate) fn smooth_rtt(&self) -> Option<Duration> {
        self.round_trip.smooth_millis().map(|millis| Duration::from_millis(millis.into()))
    }

    /// Returns the number of reliable messages without an ack, including unsent ones. It counts them in linear time.
    pub(crate) fn unacked_count(&self) -> usize {
        self.sent.waiting()
    }

    /// Returns the number of reliable messages without an ack when the connection ended; 0 before its end.
    pub(crate) const fn unacked_at_end(&self) -> usize {
        self.unacked_at_end
    }

    /// Raises the number of connect requests to at least `count`.
    pub(crate) const fn allow_connection_attempts(&mut self, count: u32) {
        if self.config.max_connection_attempts < count {
            self.config.max_connection_attempts = count;
        }
    }

    /// Returns the memory that the link holds on the heap, in bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.sent.held_bytes().saturating_add(self.events.capacity().saturating_mul(size_of::<Event>()))
    }
}
