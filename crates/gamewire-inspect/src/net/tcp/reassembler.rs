//! All connections of a capture.

use std::collections::HashMap;

use super::connection::{AddressPair, Connection};
use super::event::Delivery;
use super::limits::ReassemblyLimits;
use crate::net::payload::Segment;

/// Puts the segments of TCP connections in order. [The module](super) states the policy.
#[derive(Debug, Default)]
pub struct Reassembler {
    limits: ReassemblyLimits,
    slots: Vec<Connection>,
    /// Where in `slots` a connection is.
    index: HashMap<AddressPair, usize>,
    /// The clock hand that looks for a connection to displace.
    clock_hand: usize,
    /// The hand that looks for buffers to empty.
    sweep: usize,
    buffered: usize,
    next_id: u64,
}

impl Reassembler {
    /// A reassembler that keeps to `limits`.
    #[must_use]
    pub fn new(limits: ReassemblyLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes in a segment that was captured at `time`, in nanoseconds, and delivers what is in order now: of its
    /// connection, and of others where a limit makes it give up on a hole.
    pub fn push(&mut self, time: i64, segment: &Segment<'_>, mut deliver: impl FnMut(Delivery<'_>)) {
        let deliver = &mut deliver;
        let ends = AddressPair::of(segment);
        let at = match self.index.get(&ends) {
            Some(&at) => at,
            // What belongs to a connection from before the capture, or to none, begins no connection.
            None if segment.wire_len == 0 && !segment.flags.syn => return,
            None if segment.flags.rst => return,
            None => self.open(ends, segment, deliver),
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
        self.empty_buffers(deliver);
    }

    /// Delivers what still waits behind holes, at the end of a capture, and forgets every connection.
    pub fn finish(&mut self, mut deliver: impl FnMut(Delivery<'_>)) {
        for connection in &mut self.slots {
            connection.flush(&mut deliver);
        }
        self.slots.clear();
        self.index.clear();
        self.buffered = 0;
    }

    /// How much waits behind holes, in bytes as [`Limits`] counts them: [`Limits::total`] at most.
    #[must_use]
    pub fn buffered_bytes(&self) -> usize {
        self.buffered
    }

    /// How many connections are followed: [`Limits::connections`] at most. One that has ended stays until its
    /// place is needed, so that what trails it is not taken for a new one.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.slots.len()
    }

    /// Finds a place for a new connection, displacing an idle one if there is none, and says where it is.
    fn open(
        &mut self,
        ends: AddressPair,
        segment: &Segment<'_>,
        deliver: &mut dyn FnMut(Delivery<'_>),
    ) -> usize {
        let connection = Connection::new(self.next_id, segment);
        self.next_id = self.next_id.saturating_add(1);
        if self.slots.len() < self.limits.connections.max(1) {
            self.slots.push(connection);
            let at = self.slots.len().saturating_sub(1);
            self.index.insert(ends, at);
            return at;
        }
        let at = self.find_idle();
        if let Some(slot) = self.slots.get_mut(at) {
            self.buffered = self.buffered.saturating_sub(slot.buffered());
            slot.give_up(deliver);
            self.index.remove(&slot.ends);
            *slot = connection;
        }
        self.index.insert(ends, at);
        at
    }

    /// Moves the hand to the first connection that was not active since it last came by. One round makes every
    /// connection count as idle, so the second finds one.
    fn find_idle(&mut self) -> usize {
        loop {
            let at = step(&mut self.clock_hand, self.slots.len());
            match self.slots.get_mut(at) {
                Some(connection) if connection.active => connection.active = false,
                _ => return at,
            }
        }
    }

    /// Gives up on holes, one connection after the other, until the total limit is kept.
    fn empty_buffers(&mut self, deliver: &mut dyn FnMut(Delivery<'_>)) {
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

/// The position of a hand on a ring of `len` places, which moves on.
fn step(hand: &mut usize, len: usize) -> usize {
    let at = *hand;
    let next = at.saturating_add(1);
    *hand = if next >= len { 0 } else { next };
    at
}
