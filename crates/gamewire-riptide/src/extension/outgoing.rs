use std::collections::VecDeque;

use super::ExtensionParams;
use super::frame::FrameHeader;

/// The messages from the oldest unacknowledged one on. The peer holds no others, so their cost is an upper bound of the
/// peer's memory.
#[derive(Debug, Default)]
pub(super) struct OutgoingMessages {
    next_ordered: u16,
    next_loose: u16,
    messages: VecDeque<InFlightMessage>,
    cost: usize,
}

/// A message that was sent in packets with consecutive ids.
#[derive(Clone, Copy, Debug)]
struct InFlightMessage {
    first: u16,
    packets: u16,
    /// Number of unacknowledged packets.
    missing: u16,
    cost: usize,
}

/// The result of an ack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckOutcome {
    /// The packet does not belong to the extension.
    Other,
    /// Other packets of its message are unacknowledged.
    Part,
    /// All packets of a message are acknowledged; its first packet had this id.
    Whole(u16),
}

impl OutgoingMessages {
    /// Returns whether the peer has room for one more message of this cost.
    pub(super) fn has_room(&self, cost: usize, peer: &ExtensionParams) -> bool {
        let room = usize::try_from(peer.reassembly_buffer).unwrap_or(usize::MAX);
        self.messages.len() < usize::from(peer.max_pending_messages) && self.cost.saturating_add(cost) <= room
    }

    /// Returns the number of the next message. [`OutgoingMessages::sent`] advances it.
    pub(super) const fn number(&self, is_ordered: bool) -> u16 {
        if is_ordered { self.next_ordered } else { self.next_loose }
    }

    /// Adds a message that was sent in `packets` packets. The first packet has the id `first`.
    pub(super) fn sent(&mut self, about: &FrameHeader, first: u16, packets: u16, cost: usize) {
        let next = if about.is_ordered { &mut self.next_ordered } else { &mut self.next_loose };
        *next = about.number.wrapping_add(1);
        self.cost = self.cost.saturating_add(cost);
        self.messages.push_back(InFlightMessage { first, packets, missing: packets, cost });
    }

    /// Handles the ack of a packet.
    pub(super) fn on_acked(&mut self, seq_id: u16) -> AckOutcome {
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

    /// Returns the memory that the list holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.messages.capacity().saturating_mul(size_of::<InFlightMessage>())
    }
}
