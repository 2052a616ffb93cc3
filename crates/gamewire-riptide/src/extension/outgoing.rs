use std::collections::VecDeque;

use super::ExtensionParams;
use super::frame::FrameHeader;

/// The messages from the oldest on that the peer may not have. Whatever it holds is among them,
/// so what they cost is what it needs room for, at most.
#[derive(Debug)]
pub(super) struct OutgoingMessages {
    next_ordered: u16,
    next_loose: u16,
    messages: VecDeque<InFlightMessage>,
    cost: usize,
}

/// A message that was sent: its packets have consecutive ids.
#[derive(Clone, Copy, Debug)]
struct InFlightMessage {
    first: u16,
    packets: u16,
    /// How many of them are not acknowledged.
    missing: u16,
    cost: usize,
}

/// What an acknowledged packet was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckOutcome {
    /// None of these messages.
    Other,
    /// Others of its message are missing.
    Part,
    /// The last that was missing of the message whose first packet had this id.
    Whole(u16),
}

impl OutgoingMessages {
    pub(super) const fn new() -> Self {
        Self { next_ordered: 0, next_loose: 0, messages: VecDeque::new(), cost: 0 }
    }

    /// Whether the peer has room for one more message of that cost.
    pub(super) fn has_room(&self, cost: usize, peer: &ExtensionParams) -> bool {
        let room = usize::try_from(peer.reassembly_buffer).unwrap_or(usize::MAX);
        self.messages.len() < usize::from(peer.max_pending_messages) && self.cost.saturating_add(cost) <= room
    }

    /// The number of the next message. It counts only when [`Outgoing::sent`] is told.
    pub(super) const fn number(&self, is_ordered: bool) -> u16 {
        if is_ordered { self.next_ordered } else { self.next_loose }
    }

    /// A message was sent in so many packets, the first of which had this id.
    pub(super) fn sent(&mut self, about: &FrameHeader, first: u16, packets: u16, cost: usize) {
        let next = if about.is_ordered { &mut self.next_ordered } else { &mut self.next_loose };
        *next = about.number.wrapping_add(1);
        self.cost = self.cost.saturating_add(cost);
        self.messages.push_back(InFlightMessage { first, packets, missing: packets, cost });
    }

    /// The peer has the packet with this id.
    pub(super) fn acked(&mut self, seq_id: u16) -> AckOutcome {
        let Some(oldest) = self.messages.front().map(|flight| flight.first) else { return AckOutcome::Other };
        let at = seq_id.wrapping_sub(oldest);
        let after = self.messages.partition_point(|flight| flight.first.wrapping_sub(oldest) <= at);
        let flight = after.checked_sub(1).and_then(|index| self.messages.get_mut(index));
        let Some(flight) = flight.filter(|flight| seq_id.wrapping_sub(flight.first) < flight.packets) else {
            return AckOutcome::Other;
        };
        flight.missing = flight.missing.saturating_sub(1);
        if flight.missing > 0 {
            return AckOutcome::Part;
        }
        let first = flight.first;
        while let Some(done) = self.messages.pop_front_if(|flight| flight.missing == 0) {
            self.cost = self.cost.saturating_sub(done.cost);
        }
        AckOutcome::Whole(first)
    }

    /// How many bytes of memory the list takes.
    pub(super) fn held_bytes(&self) -> usize {
        self.messages.capacity().saturating_mul(size_of::<InFlightMessage>())
    }
}
