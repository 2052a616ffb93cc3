use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use super::metrics::one_more;
use super::notify::{NotifyReceived, NotifySent};
use super::pace::ResendTimeout;
use super::ping::{Ping, RoundTrip};
use super::quality::Quality;
use super::received::ReceivedIds;
use super::sent::SendWindow;
use super::{
    CloseCause, ConnectionSettings, Event, LinkConfig, Metrics, NotifyIds, OnSendExhausted, QualityFailure,
    SendError,
};

/// One connection with a peer, from the question for it to its end.
#[derive(Debug)]
pub struct Link {
    pub(super) config: LinkConfig,
    pub(super) settings: ConnectionSettings,
    pub(super) phase: Phase,
    pub(super) received: ReceivedIds,
    pub(super) sent: SendWindow,
    /// The newest reliable message that the peer has said to have.
    pub(super) last_acked: u16,
    pub(super) notify_sent: NotifySent,
    pub(super) notify_received: NotifyReceived,
    pub(super) round_trip: RoundTrip,
    /// What follows from it.
    pub(super) pace: ResendTimeout,
    pub(super) ping: Ping,
    /// When a sign of life came that counts.
    pub(super) last_heartbeat: Instant,
    pub(super) metrics: Metrics,
    quality: Quality,
    /// Whether there are events of what became of messages.
    tells_fates: bool,
    events: VecDeque<Event>,
}

/// Where in its life a connection is, with its clock: a client's ticks when it sends something; a
/// server's only when a silence has lasted too long.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    Connecting { next_tick: Instant, attempts: u32 },
    ClientPending { next_tick: Instant },
    ClientConnected { next_tick: Instant },
    ServerPending { since: Instant },
    Accepted { since: Instant },
    ServerConnected { since: Instant },
    Ended,
}

/// Where in its life a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConnectionState {
    /// A client asks for it (`IsConnecting`).
    Connecting,
    /// The server's application has not decided yet (`IsPending`).
    Pending,
    /// The server has sent its Welcome and waits for the echo (`IsPending` too).
    Accepted,
    /// It is established (`IsConnected`).
    Connected,
    /// It is over (`IsNotConnected`).
    Ended,
}

impl Link {
    /// A client's connection that is asked for now: [`Connection::handle_timeout`] says when to
    /// send the question.
    #[must_use]
    pub fn client(config: LinkConfig, settings: ConnectionSettings, now: Instant) -> Self {
        Self::new(config, settings, now, Phase::Connecting { next_tick: now, attempts: 0 })
    }

    /// A server's connection that was asked for just now and is not accepted yet.
    #[must_use]
    pub fn server(config: LinkConfig, settings: ConnectionSettings, now: Instant) -> Self {
        Self::new(config, settings, now, Phase::ServerPending { since: now })
    }

    fn new(config: LinkConfig, settings: ConnectionSettings, now: Instant, phase: Phase) -> Self {
        Self {
            config,
            settings,
            phase,
            received: ReceivedIds::default(),
            sent: SendWindow::new(1),
            last_acked: 0,
            notify_sent: NotifySent::default(),
            notify_received: NotifyReceived::default(),
            round_trip: RoundTrip::default(),
            pace: ResendTimeout::new(&config, &RoundTrip::default()),
            ping: Ping::default(),
            last_heartbeat: now,
            metrics: Metrics::default(),
            quality: Quality::default(),
            tells_fates: true,
            events: VecDeque::new(),
        }
    }

    /// Takes a reliable packet of `length` bytes to be sent until the peer has it. `write` fills
    /// in all of its bytes, which hold anything, when it knows the id. [`Connection::poll_send`] gives
    /// it out, each time that it is due.
    ///
    /// # Errors
    /// When too much waits already ([`LinkConfig::send_buffer`]), the packet is longer than 65535
    /// bytes, or the connection is over. Then no id was used.
    #[inline]
    pub fn send_reliable(
        &mut self,
        now: Instant,
        length: usize,
        write: impl FnOnce(u16, &mut [u8]),
    ) -> Result<u16, SendError> {
        if self.is_ended() {
            return Err(SendError::Ended);
        }
        let seq_id = self.sent.push(now, length, self.config.send_buffer, write)?;
        one_more(&mut self.metrics.reliable_uniques);
        Ok(seq_id)
    }

    /// Whether so many more reliable packets, of so many bytes in all, can be sent now.
    #[must_use]
    pub fn has_room(&self, packets: usize, bytes: usize) -> bool {
        !self.is_ended() && self.sent.has_room(packets, bytes, self.config.send_buffer)
    }

    /// The ids of a notify message of `length` bytes in all, that is sent now (2.1).
    ///
    /// # Errors
    /// When the connection is over.
    pub fn send_notify(&mut self, length: usize) -> Result<NotifyIds, SendError> {
        if self.is_ended() {
            return Err(SendError::Ended);
        }
        let (seq_id, given_up) = self.notify_sent.send();
        if let Some(seq_id) = given_up {
            one_more(&mut self.metrics.notify_unknown);
            self.emit(Event::NotifyUnknown { seq_id });
        }
        self.metrics.sent_notify(length);
        let NotifyReceived { last, field } = self.notify_received;
        Ok(NotifyIds { last_received_seq_id: last, received_seq_ids: field, seq_id })
    }

    /// An unreliable packet of `length` bytes was sent, be it an ack or a heartbeat.
    pub const fn sent_unreliable(&mut self, length: usize) {
        self.metrics.sent_unreliable(length);
    }

    /// Takes a round trip in milliseconds.
    pub(super) fn on_rtt_sample(&mut self, millis: i16) {
        self.round_trip.sample(millis);
        self.pace = ResendTimeout::new(&self.config, &self.round_trip);
    }

    /// A reliable message need not be sent any more.
    pub(super) fn delivered(&mut self, seq_id: u16) {
        if let Some(attempts) = self.sent.ack(seq_id) {
            self.was_delivered(seq_id, attempts);
        }
    }

    /// A reliable message that was sent so often need not be sent any more.
    #[inline(always)]
    pub(super) fn was_delivered(&mut self, seq_id: u16, attempts: u16) {
        self.metrics.rolling_reliable_sends.add(attempts);
        self.emit(Event::ReliableDelivered { seq_id });
        if let Some(poor) = self.quality.delivered(&self.metrics, &self.settings) {
            self.close_if_poor(poor);
        }
    }

    /// It is known what became of a notify message.
    pub(super) fn notified(&mut self) {
        if let Some(poor) = self.quality.notified(&self.metrics, &self.settings) {
            self.close_if_poor(poor);
        }
    }

    #[cold]
    fn close_if_poor(&mut self, poor: QualityFailure) {
        let may = self.is_connected()
            && self.settings.can_quality_disconnect
            && self.config.on_send_exhausted == OnSendExhausted::Disconnect;
        if may {
            self.end(CloseCause::PoorConnection(poor));
        }
    }

    /// Tells what became of a message.
    #[inline]
    pub(super) fn emit(&mut self, event: Event) {
        if self.tells_fates && !self.is_ended() {
            self.events.push_back(event);
        }
    }

    pub(super) fn end(&mut self, end: CloseCause) {
        if !self.is_ended() {
            self.events.push_back(Event::Closed(end));
        }
        self.close();
    }

    /// It is over: its owner says so, and there is no event. What it holds is freed.
    pub fn close(&mut self) {
        self.phase = Phase::Ended;
        self.sent = SendWindow::new(1);
    }

    /// Whether there are to be events of what became of messages: they are unless this says no. That
    /// of the end there is always.
    pub const fn set_delivery_events(&mut self, tells: bool) {
        self.tells_fates = tells;
    }

    /// The next event; the last is [`Event::Ended`] if the connection ended by itself.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Whether there is one.
    #[must_use]
    #[inline]
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Where in its life it is.
    #[must_use]
    #[inline]
    pub const fn state(&self) -> ConnectionState {
        match self.phase {
            Phase::Connecting { .. } => ConnectionState::Connecting,
            Phase::ClientPending { .. } | Phase::ServerPending { .. } => ConnectionState::Pending,
            Phase::Accepted { .. } => ConnectionState::Accepted,
            Phase::ClientConnected { .. } | Phase::ServerConnected { .. } => ConnectionState::Connected,
            Phase::Ended => ConnectionState::Ended,
        }
    }

    pub(super) const fn is_connected(&self) -> bool {
        matches!(self.state(), ConnectionState::Connected)
    }

    pub(super) const fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// What the application may set.
    #[must_use]
    pub const fn settings(&self) -> &ConnectionSettings {
        &self.settings
    }

    /// Sets it. The silence counts from now on when [`ConnectionSettings::can_timeout`] is set, as in the
    /// original, even if it was before.
    pub const fn set_settings(&mut self, now: Instant, settings: ConnectionSettings) {
        if settings.can_timeout {
            self.last_heartbeat = now;
        }
        self.settings = settings;
    }

    /// From now on this happens to messages that are given up.
    pub const fn set_on_send_exhausted(&mut self, action: OnSendExhausted) {
        self.config.on_send_exhausted = action;
    }

    /// What was counted.
    #[must_use]
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Counts from 0 again ([`Metrics::reset`]).
    pub fn reset_metrics(&mut self) {
        self.metrics.reset();
    }

    /// The round trip that was measured last (`RTT`), in whole milliseconds. A server has it from
    /// its client.
    #[must_use]
    pub fn rtt(&self) -> Option<Duration> {
        self.round_trip.latest_millis().map(|millis| Duration::from_millis(millis.into()))
    }

    /// The smoothed round trip (`SmoothRTT`), in whole milliseconds.
    #[must_use]
    pub fn smooth_rtt(&self) -> Option<Duration> {
        self.round_trip.smooth_millis().map(|millis| Duration::from_millis(millis.into()))
    }

    /// How many reliable messages are not acknowledged, held back ones too. Takes the longer, the
    /// more there are.
    #[must_use]
    pub fn unacked_count(&self) -> usize {
        self.sent.waiting()
    }

    /// The memory that is held beside this value, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.sent.held_bytes().saturating_add(self.events.capacity().saturating_mul(size_of::<Event>()))
    }
}
