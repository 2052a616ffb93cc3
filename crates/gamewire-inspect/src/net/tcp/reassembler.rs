//! The TCP connections of a capture.

use std::collections::HashMap;

use super::connection::{AddressPair, Connection};
use super::event::{Delivery, ReassemblyLimits};
use crate::net::payload::Segment;

/// A buffer that puts the segments of TCP connections in order. [The module](super) states the policy.
#[derive(Debug, Default)]
pub struct Reassembler {
    limits: ReassemblyLimits,
    slots: Vec<Connection>,
    /// Index of a connection in `slots`.
    index: HashMap<AddressPair, usize>,
    /// The clock hand that searches for an idle connection.
    clock_hand: usize,
    /// The hand that searches for buffers to flush.
    sweep: usize,
    buffered: usize,
    next_id: u64,
}

impl Reassembler {
    /// Returns a reassembler with `limits`.
    pub fn new(limits: ReassemblyLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Adds a segment that was captured at `time`, in nanoseconds, and delivers the bytes that are in order. These may
    /// include bytes of other connections, if a limit forces them to skip missing bytes.
    pub fn push(&mut self, time: i64, segment: &Segment<'_>, mut deliver: impl FnMut(Delivery<'_>)) {
        let deliver = &mut deliver;
        let addresses = AddressPair::new(segment);
        let at = match self.index.get(&addresses) {
            Some(&at) => at,
            // A segment without a SYN and without data, or a reset, does not begin a connection.
            None if segment.wire_len == 0 && !segment.flags.syn => return,
            None if segment.flags.rst => return,
            None => self.open(addresses, segment, deliver),
        };
        let Some(connection) = self.slots.get_mut(at) else { return };
        let before = connection.buffered();
        if connection.is_replaced_by(segment) {
            connection.give_up(deliver);
            *connection = connection.successor(self.next_id, time, segment);
            self.next_id = self.next_id.saturating_add(1);
        }
        connection.push(time, &self.limits, segment, deliver);
        self.buffered = self.buffered.saturating_sub(before).saturating_add(connection.buffered());
        self.flush_buffers(deliver);
    }

    /// Delivers all buffered bytes at the end of a capture, and drops every connection.
    pub fn finish(&mut self, mut deliver: impl FnMut(Delivery<'_>)) {
        for connection in &mut self.slots {
            connection.flush(&mut deliver);
        }
        self.slots.clear();
        self.index.clear();
        self.buffered = 0;
    }

    /// Returns the buffered bytes, as [`ReassemblyLimits`] counts them: at most [`ReassemblyLimits::total`].
    pub fn buffered_bytes(&self) -> usize {
        self.buffered
    }

    /// Returns the number of connections: at most [`ReassemblyLimits::connections`]. A connection that has ended
    /// keeps its slot until it is needed, so that its late segments do not begin a new one.
    pub fn connections(&self) -> usize {
        self.slots.len()
    }

    /// Adds a new connection, replaces an idle one if all slots are taken, and returns its index.
    fn open(
        &mut self,
        addresses: AddressPair,
        segment: &Segment<'_>,
        deliver: &mut dyn FnMut(Delivery<'_>),
    ) -> usize {
        let connection = Connection::new(self.next_id, segment);
        self.next_id = self.next_id.saturating_add(1);
        if self.slots.len() < self.limits.connections.max(1) {
            self.slots.push(connection);
            let at = self.slots.len().saturating_sub(1);
            self.index.insert(addresses, at);
            return at;
        }
        let at = self.find_idle();
        if let Some(slot) = self.slots.get_mut(at) {
            self.buffered = self.buffered.saturating_sub(slot.buffered());
            slot.give_up(deliver);
            self.index.remove(&slot.addresses);
            *slot = connection;
        }
        self.index.insert(addresses, at);
        at
    }

    /// Advances the clock hand to the first connection that was not active since its last round. One round marks
    /// every connection idle, so that the second round finds one.
    fn find_idle(&mut self) -> usize {
        loop {
            let at = step(&mut self.clock_hand, self.slots.len());
            match self.slots.get_mut(at) {
                Some(connection) if connection.active => connection.active = false,
                _ => return at,
            }
        }
    }

    /// Skips missing bytes of one connection after another until the total is within its limit.
    fn flush_buffers(&mut self, deliver: &mut dyn FnMut(Delivery<'_>)) {
        while self.buffered > self.limits.total {
            let at = step(&mut self.sweep, self.slots.len());
            let Some(connection) = self.slots.get_mut(at) else { return };
            let before = connection.buffered();
            if before > 0 {
                connection.flush(deliver);
                self.buffered = self.buffered.saturating_sub(before).saturating_add(connection.buffered());
            }
        }
    }
}

/// Advances a hand on a ring of `len` slots and returns its previous position.
fn step(hand: &mut usize, len: usize) -> usize {
    let at = *hand;
    let next = at.saturating_add(1);
    *hand = if next >= len { 0 } else { next };
    at
}
