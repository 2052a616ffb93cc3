use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use super::SendError;
use super::pace::ResendTimeout;
use super::packets::SendBuffer;

/// How many messages may wait: ids must tell before from after.
const MOST_MESSAGES: usize = 32_000;
/// A time that never comes.
const NEVER: Instant = Instant::from_micros(u64::MAX);

/// The reliable messages from the oldest that is not acknowledged on.
#[derive(Debug)]
pub(super) struct SendWindow {
    /// The id of the first slot, or of the next message if there is none.
    first: u16,
    slots: VecDeque<Slot>,
    /// How many slots at the end have never been sent.
    held: usize,
    packets: SendBuffer,
    /// No message is due before; it may be that none is due then either.
    next_due: Instant,
    /// The id from which on messages are to be looked at, when some are due.
    scan: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    state: SlotState,
    /// How often it was sent.
    attempts: u16,
    place: BufferRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotState {
    /// It was not sent yet.
    Queued { since: Instant },
    /// It is sent again when it is due.
    InFlight { last_sent: Instant, due: Instant },
    /// It was sent as often as it may be, and rests.
    Stalled,
    /// Nobody waits for it any more.
    Done,
}

/// What bounds the sending.
#[derive(Clone, Copy, Debug)]
pub(super) struct SendLimits {
    /// When a message is sent again that is sent now.
    pub(super) due: Instant,
    /// No message is sent sooner than this after it was last sent.
    pub(super) spacing: Duration,
    pub(super) window: u16,
    /// How often a message may be sent; as often as it takes without.
    pub(super) max_attempts: Option<u16>,
}

/// Where the packet of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BufferRange {
    start: u32,
    length: u16,
}

/// What is to be done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DueAction {
    /// Its packet is sent; this has been counted as the given attempt.
    Send { id: u16, attempt: u16, place: BufferRange },
    /// It would be due, and was sent as often as it may be.
    Exhausted { id: u16, attempts: u16 },
}

impl SendWindow {
    /// Nothing was sent; the first message gets this id.
    pub(super) fn new(first: u16) -> Self {
        let (slots, packets) = (VecDeque::new(), SendBuffer::default());
        Self { first, slots, held: 0, packets, next_due: NEVER, scan: None }
    }

    /// Takes a message of `length` bytes, which `write` fills in when it knows the id.
    pub(super) fn push(
        &mut self,
        now: Instant,
        length: usize,
        limit: usize,
        write: impl FnOnce(u16, &mut [u8]),
    ) -> Result<u16, SendError> {
        let size = u16::try_from(length).map_err(|_| SendError::TooLong { length })?;
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

    /// Whether so many messages, of so many bytes in all, can be taken.
    pub(super) fn has_room(&self, messages: usize, bytes: usize, limit: usize) -> bool {
        self.slots.len().saturating_add(messages) <= MOST_MESSAGES
            && self.packets.used().saturating_add(bytes) <= limit
    }

    /// The last id that was sent.
    pub(super) fn newest(&self) -> u16 {
        self.id(self.slots.len().saturating_sub(self.held)).wrapping_sub(1)
    }

    /// The packet of a message that waits.
    #[inline]
    pub(super) fn packet(&self, place: BufferRange) -> Option<&[u8]> {
        self.packets.get(place.start, place.length)
    }

    /// How many messages wait, held back ones too.
    pub(super) fn waiting(&self) -> usize {
        self.slots.iter().filter(|slot| slot.state != SlotState::Done).count()
    }

    /// The peer has a message, or it is given up: how often it was sent. `None` when nobody waits
    /// for it.
    pub(super) fn ack(&mut self, id: u16) -> Option<u16> {
        if id == self.first {
            return self.finish_oldest(id);
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

    /// The same of the message with this id if none before it waits.
    #[inline(always)]
    pub(super) fn finish_oldest(&mut self, id: u16) -> Option<u16> {
        if id != self.first || self.slots.len() <= self.held {
            return None;
        }
        let attempts = self.slots.pop_front()?.attempts;
        self.first = id.wrapping_add(1);
        match self.slots.front() {
            Some(Slot { state: SlotState::Done, .. }) => self.forget_done(),
            Some(oldest) => self.packets.release_before(oldest.place.start),
            None => self.release_all(),
        }
        Some(attempts)
    }

    fn forget_done(&mut self) {
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

    /// It seems that a message was lost: it is due at once, unless it was sent just now. Otherwise
    /// its timer stays.
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

    /// A message that was sent as often as it may be is due no more, until [`SendWindow::wake_resting`].
    pub(super) fn mark_stalled(&mut self, id: u16) {
        let index = self.index(id);
        if let Some(slot) = self.slots.get_mut(index)
            && matches!(slot.state, SlotState::InFlight { .. })
        {
            slot.state = SlotState::Stalled;
        }
    }

    /// Messages that rest are due at once, and count as sent at most `attempts` times.
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

    /// Whether nothing is to be done.
    #[inline]
    pub(super) fn is_quiet(&self, now: Instant) -> bool {
        self.held == 0 && self.scan.is_none() && self.next_due > now
    }

    /// The next message with which something is to be done. Ask until there is none.
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
        // What was before the first slot when the scan was interrupted is gone.
        let from = self.index(from);
        let from = if from > MOST_MESSAGES { 0 } else { from };
        let sent = self.slots.len().saturating_sub(self.held);
        for index in from..sent {
            let Some(slot) = self.slots.get_mut(index) else { break };
            let SlotState::InFlight { last_sent, due } = &mut slot.state else { continue };
            if *due <= now && *last_sent + rules.spacing <= now {
                self.scan = Some(self.id(index.saturating_add(1)));
                return self.attempt(now, index, rules);
            }
            if *due <= now {
                // Sent too shortly ago, since the round trip turned out to be longer. The original
                // forgets to arm the timer again here, and may never send the message any more.
                *due = rules.due;
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

    /// The next message that was never sent, if it is within the window.
    fn held_index(&self, window: u16) -> Option<usize> {
        let index = self.slots.len().saturating_sub(self.held);
        (self.held > 0 && index < window.into()).then_some(index)
    }

    #[inline]
    fn attempt(&mut self, now: Instant, index: usize, rules: &SendLimits) -> Option<DueAction> {
        let id = self.id(index);
        let slot = self.slots.get_mut(index)?;
        slot.state = SlotState::InFlight { last_sent: now, due: rules.due };
        if rules.max_attempts.is_some_and(|most| slot.attempts >= most) {
            return Some(DueAction::Exhausted { id, attempts: slot.attempts });
        }
        slot.attempts = slot.attempts.saturating_add(1);
        let (attempt, place) = (slot.attempts, slot.place);
        self.arm(rules.due);
        Some(DueAction::Send { id, attempt, place })
    }

    fn arm(&mut self, due: Instant) {
        self.next_due = self.next_due.min(due);
    }

    /// When there is something to be done, and whether for the first time.
    pub(super) fn wake(&self, window: u16) -> Option<(Instant, bool)> {
        let held = self.held_index(window).and_then(|index| self.slots.get(index));
        if let Some(SlotState::Queued { since }) = held.map(|slot| slot.state) {
            return Some((since, true));
        }
        let due = if self.scan.is_some() { Instant::ZERO } else { self.next_due };
        (due < NEVER).then_some((due, false))
    }

    /// The memory that is held beside this value, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let slots = self.slots.capacity().saturating_mul(size_of::<Slot>());
        self.packets.held_bytes().saturating_add(slots)
    }

    /// How many messages lie between the oldest that waits and this one; 0 when it is older.
    pub(super) fn count_before(&self, id: u16) -> u16 {
        let count = id.wrapping_sub(self.first);
        if usize::from(count) > self.slots.len() { 0 } else { count }
    }

    fn index(&self, id: u16) -> usize {
        id.wrapping_sub(self.first).into()
    }

    /// The id of a slot; there are fewer than ids.
    fn id(&self, index: usize) -> u16 {
        self.first.wrapping_add(index.try_into().unwrap_or(0))
    }
}
