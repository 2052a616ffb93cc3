use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use super::rtt::ResendTimeout;
use super::send_buffer::SendBuffer;
use crate::SendError;

/// Maximum unacknowledged messages, so that the order of two ids is unambiguous.
const MAX_MESSAGES: usize = 32_000;
/// Number of attempts after which the intervals between them grow, if the attempts are not limited.
pub(super) const STEADY_ATTEMPTS: u16 = 4;
/// Maximum interval between two attempts, unless the retransmission timeout is longer.
const MAX_BACKOFF: Duration = Duration::from_secs(1);
/// The time of a timer that never fires.
const NEVER: Instant = Instant::from_micros(u64::MAX);

/// The reliable messages from the oldest unacknowledged one on.
#[derive(Debug)]
pub(super) struct SendWindow {
    /// Id of the first slot; if there is no slot, id of the next message.
    first: u16,
    slots: VecDeque<Slot>,
    /// Number of unsent slots at the end.
    held: usize,
    packets: SendBuffer,
    /// Lower bound of the time at which a message is due.
    next_due: Instant,
    /// Id at which an unfinished scan for due messages continues.
    scan: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    state: SlotState,
    /// Number of sends.
    attempts: u16,
    place: BufferRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotState {
    /// Not sent yet.
    Queued { since: Instant },
    /// Sent, and sent again when it is due.
    InFlight { last_sent: Instant, due: Instant },
    /// Sent with all attempts of the handshake.
    Stalled,
    /// Acknowledged or discarded.
    Done,
}

/// Limits of a send.
#[derive(Clone, Copy, Debug)]
pub(super) struct SendLimits {
    /// Retransmission timeout.
    pub(super) rto: Duration,
    /// Minimum interval between two sends of the same message.
    pub(super) spacing: Duration,
    pub(super) window: u16,
    /// Maximum attempts; `None` for no limit.
    pub(super) max_attempts: Option<u16>,
}

impl SendLimits {
    /// Returns the time after an attempt until the next one.
    #[inline]
    fn delay_after(&self, attempt: u16) -> Duration {
        if attempt > STEADY_ATTEMPTS && self.max_attempts.is_none() {
            backed_off(self.rto, attempt)
        } else {
            self.rto
        }
    }
}

/// The range of a packet in the send buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BufferRange {
    start: u32,
    length: u16,
}

/// The action for a message that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DueAction {
    /// Send its packet. The attempt is counted.
    Send { id: u16, attempt: u16, place: BufferRange },
    /// Its attempts are used up.
    Exhausted { id: u16, attempts: u16 },
}

impl SendWindow {
    /// Creates an empty window. Its first message will have this id.
    pub(super) fn new(first: u16) -> Self {
        let (slots, packets) = (VecDeque::new(), SendBuffer::default());
        Self { first, slots, held: 0, packets, next_due: NEVER, scan: None }
    }

    /// Queues a message of `length` bytes, which `write` fills with the packet for the id.
    pub(super) fn push(
        &mut self,
        now: Instant,
        length: usize,
        limit: usize,
        write: impl FnOnce(u16, &mut [u8]),
    ) -> Result<u16, SendError> {
        let size = u16::try_from(length).map_err(|_| SendError::TooLong { length, max: u16::MAX.into() })?;
        if !self.has_room(1, length, limit) {
            return Err(SendError::Full);
        }
        let id = self.id(self.slots.len());
        let start = self.packets.push(size, limit, |packet| write(id, packet));
        let place = BufferRange { start, length: size };
        self.slots.push_back(Slot { state: SlotState::Queued { since: now }, attempts: 0, place });
        self.held = self.held.wrapping_add(1);
        Ok(id)
    }

    /// Returns whether `messages` messages, of `bytes` in total, fit.
    pub(super) fn has_room(&self, messages: usize, bytes: usize, limit: usize) -> bool {
        self.slots.len().saturating_add(messages) <= MAX_MESSAGES
            && self.packets.used().saturating_add(bytes) <= limit
    }

    /// Returns whether all messages are acknowledged.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the last id that was sent.
    pub(super) fn newest(&self) -> u16 {
        self.id(self.slots.len().saturating_sub(self.held)).wrapping_sub(1)
    }

    /// Returns the packet of an unacknowledged message.
    #[inline]
    pub(super) fn packet(&self, place: BufferRange) -> Option<&[u8]> {
        self.packets.get(place.start, place.length)
    }

    /// Returns the number of unacknowledged messages, including unsent ones.
    pub(super) fn waiting(&self) -> usize {
        self.slots.iter().filter(|slot| slot.state != SlotState::Done).count()
    }

    /// Marks a message as acknowledged or discarded, and returns the number of its attempts; `None` if it is not in
    /// flight.
    pub(super) fn ack(&mut self, id: u16) -> Option<u16> {
        if id == self.first {
            return self.ack_oldest(id);
        }
        let index = self.index(id);
        let slot = self.slots.get_mut(index)?;
        if matches!(slot.state, SlotState::Queued { .. } | SlotState::Done) {
            return None;
        }
        let attempts = slot.attempts;
        slot.state = SlotState::Done;
        Some(attempts)
    }

    /// Marks the oldest message as acknowledged, if it has this id, and returns the number of its attempts.
    #[inline(always)]
    pub(super) fn ack_oldest(&mut self, id: u16) -> Option<u16> {
        if id != self.first || self.slots.len() <= self.held {
            return None;
        }
        let attempts = self.slots.pop_front()?.attempts;
        self.first = id.wrapping_add(1);
        match self.slots.front() {
            Some(Slot { state: SlotState::Done, .. }) => self.pop_done(),
            Some(oldest) => self.packets.release_before(oldest.place.start),
            None => self.release_all(),
        }
        Some(attempts)
    }

    fn pop_done(&mut self) {
        while self.slots.pop_front_if(|slot| slot.state == SlotState::Done).is_some() {
            self.first = self.first.wrapping_add(1);
        }
        match self.slots.front() {
            Some(oldest) => self.packets.release_before(oldest.place.start),
            None => self.release_all(),
        }
    }

    fn release_all(&mut self) {
        self.packets.release_all();
        self.next_due = NEVER;
        self.scan = None;
    }

    /// Makes a message that was probably lost due now, unless it was sent within the minimum interval.
    pub(super) fn expedite(&mut self, now: Instant, id: u16, pace: ResendTimeout) {
        let index = self.index(id);
        if let Some(slot) = self.slots.get_mut(index)
            && let SlotState::InFlight { last_sent, due } = &mut slot.state
            && *last_sent + pace.min_interval <= now
        {
            *due = now;
            self.arm(now);
        }
    }

    /// Stops the timer of a message that used up its attempts, until [`SendWindow::retry_stalled`].
    pub(super) fn mark_stalled(&mut self, id: u16) {
        let index = self.index(id);
        if let Some(slot) = self.slots.get_mut(index)
            && matches!(slot.state, SlotState::InFlight { .. })
        {
            slot.state = SlotState::Stalled;
        }
    }

    /// Makes stalled messages due now, and reduces their attempts to at most `attempts`.
    pub(super) fn retry_stalled(&mut self, now: Instant, attempts: u16) {
        let mut any = false;
        for slot in self.slots.iter_mut().filter(|slot| slot.state == SlotState::Stalled) {
            slot.state = SlotState::InFlight { last_sent: Instant::ZERO, due: now };
            slot.attempts = slot.attempts.min(attempts);
            any = true;
        }
        if any {
            self.arm(now);
        }
    }

    /// Returns whether no message is due.
    #[inline]
    pub(super) fn is_quiet(&self, now: Instant) -> bool {
        self.held == 0 && self.scan.is_none() && self.next_due > now
    }

    /// Returns the next message that is due. Call it until it returns `None`.
    #[inline]
    pub(super) fn next(&mut self, now: Instant, rules: &SendLimits) -> Option<DueAction> {
        if (self.scan.is_some() || self.next_due <= now)
            && let Some(due) = self.scan_due(now, rules)
        {
            return Some(due);
        }
        self.release_held(now, rules)
    }

    fn scan_due(&mut self, now: Instant, rules: &SendLimits) -> Option<DueAction> {
        if self.scan.is_none() && self.next_due <= now {
            (self.scan, self.next_due) = (Some(self.first), NEVER);
        }
        let from = self.scan.take()?;
        // The message at which the scan stopped may have been acknowledged.
        let from = self.index(from);
        let from = if from > MAX_MESSAGES { 0 } else { from };
        let sent = self.slots.len().saturating_sub(self.held);
        for index in from..sent {
            let Some(slot) = self.slots.get_mut(index) else { break };
            let SlotState::InFlight { last_sent, due } = &mut slot.state else { continue };
            if *due <= now && *last_sent + rules.spacing <= now {
                self.scan = Some(self.id(index.saturating_add(1)));
                return self.attempt(now, index, rules);
            }
            if *due <= now {
                // The message was sent too recently, because the round trip became longer. The C# library does not set the
                // timer again here, and may never send the message again.
                *due = now + rules.rto;
            }
            let due = *due;
            self.arm(due);
        }
        None
    }

    #[inline]
    fn release_held(&mut self, now: Instant, rules: &SendLimits) -> Option<DueAction> {
        let index = self.held_index(rules.window)?;
        let due = self.attempt(now, index, rules);
        self.held = self.held.wrapping_sub(1);
        due
    }

    /// Returns the index of the next unsent message, if it is within the window.
    fn held_index(&self, window: u16) -> Option<usize> {
        let index = self.slots.len().saturating_sub(self.held);
        (self.held > 0 && index < window.into()).then_some(index)
    }

    #[inline]
    fn attempt(&mut self, now: Instant, index: usize, rules: &SendLimits) -> Option<DueAction> {
        let id = self.id(index);
        let slot = self.slots.get_mut(index)?;
        let attempt = slot.attempts.saturating_add(1);
        let due = now + rules.delay_after(attempt);
        slot.state = SlotState::InFlight { last_sent: now, due };
        if rules.max_attempts.is_some_and(|most| slot.attempts >= most) {
            return Some(DueAction::Exhausted { id, attempts: slot.attempts });
        }
        slot.attempts = attempt;
        let place = slot.place;
        self.arm(due);
        Some(DueAction::Send { id, attempt, place })
    }

    fn arm(&mut self, due: Instant) {
        self.next_due = self.next_due.min(due);
    }

    /// Returns the time of the next send, and whether it is the first one of its message.
    pub(super) fn wake(&self, window: u16) -> Option<(Instant, bool)> {
        let held = self.held_index(window).and_then(|index| self.slots.get(index));
        if let Some(SlotState::Queued { since }) = held.map(|slot| slot.state) {
            return Some((since, true));
        }
        let due = if self.scan.is_some() { Instant::ZERO } else { self.next_due };
        (due < NEVER).then_some((due, false))
    }

    /// Returns the memory that the window holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let slots = self.slots.capacity().saturating_mul(size_of::<Slot>());
        self.packets.held_bytes().saturating_add(slots)
    }

    /// Returns the number of messages from the oldest one up to this one; 0 if it is older.
    pub(super) fn count_before(&self, id: u16) -> u16 {
        let count = id.wrapping_sub(self.first);
        if usize::from(count) > self.slots.len() { 0 } else { count }
    }

    fn index(&self, id: u16) -> usize {
        id.wrapping_sub(self.first).into()
    }

    /// Returns the id of a slot.
    fn id(&self, index: usize) -> u16 {
        self.first.wrapping_add(index.try_into().unwrap_or(0))
    }
}

/// Returns the time after an attempt until the next one: twice as long after each.
#[cold]
fn backed_off(rto: Duration, attempt: u16) -> Duration {
    let doublings = attempt.saturating_sub(STEADY_ATTEMPTS).min(16);
    rto.saturating_mul(1 << doublings).min(MAX_BACKOFF).max(rto)
}
