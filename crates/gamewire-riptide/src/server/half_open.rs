use core::time::Duration;
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};

use gamewire_machine::Instant;

use crate::ConnectionId;

/// Age from which a half-open connection gives way to a new one. No client of the C# library completes a handshake with
/// such a round trip.
const DISPLACED_AFTER: Duration = Duration::from_secs(1);
/// Maximum number of stale entries in the queue, beyond the number of half-open connections.
const MAX_STALE: usize = 64;

/// The number of half-open connections and streams, in total and by address.
#[derive(Debug)]
pub(super) struct HalfOpenCounter {
    count: usize,
    max: usize,
    /// Half-open connections and streams by address. Peers choose their addresses, so the hasher is unpredictable for
    /// them.
    by_address: HashMap<IpAddr, HalfOpenOfAddress>,
    max_per_address: Option<usize>,
    /// Connections that may give way to new ones, by age, as slot and number. Some of them have ended.
    accepted: VecDeque<(Instant, usize, ConnectionId)>,
}

/// The half-open connections and streams of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct HalfOpenOfAddress {
    connections: usize,
    /// Streams without a connect request.
    streams: usize,
}

impl HalfOpenOfAddress {
    const fn total(self) -> usize {
        self.connections.saturating_add(self.streams)
    }
}

impl HalfOpenCounter {
    pub(super) fn new(max: usize, max_per_address: Option<usize>) -> Self {
        Self { count: 0, max, by_address: HashMap::new(), max_per_address, accepted: VecDeque::new() }
    }

    /// Returns whether one more is allowed in total.
    pub(super) const fn has_room(&self) -> bool {
        self.count < self.max
    }

    /// Returns whether the limit of an address allows one more.
    pub(super) fn has_room_for(&self, from: Option<SocketAddr>) -> bool {
        self.max_per_address.is_none_or(|max| self.of_address(from).total() < max)
    }

    /// Returns whether the connections of an address hold less than three quarters of the `places` that no connected
    /// client has. The rest is for other addresses. A stream without a connect request holds no place.
    pub(super) fn has_share(&self, from: Option<SocketAddr>, places: usize) -> bool {
        self.of_address(from).connections < places.saturating_sub(places / 4)
    }

    fn of_address(&self, from: Option<SocketAddr>) -> HalfOpenOfAddress {
        from.and_then(|from| self.by_address.get(&limit_key(from))).copied().unwrap_or_default()
    }

    /// Adds a connection that may give way to a new one. `is_half_open` returns whether an earlier one still is.
    pub(super) fn accept(
        &mut self,
        now: Instant,
        slot: usize,
        id: ConnectionId,
        is_half_open: impl Fn(usize, ConnectionId) -> bool,
    ) {
        if self.accepted.len() > self.count.saturating_mul(2).saturating_add(MAX_STALE) {
            self.accepted.retain(|(_, slot, id)| is_half_open(*slot, *id));
        }
        self.accepted.push_back((now, slot, id));
    }

    /// Removes the oldest half-open connection from the queue, if it must give way, and returns its slot.
    pub(super) fn displace(
        &mut self,
        now: Instant,
        is_half_open: impl Fn(usize, ConnectionId) -> bool,
    ) -> Option<usize> {
        while self.accepted.pop_front_if(|(_, slot, id)| !is_half_open(*slot, *id)).is_some() {}
        let (_, slot, _) = self.accepted.pop_front_if(|(since, ..)| now >= *since + DISPLACED_AFTER)?;
        Some(slot)
    }

    /// Adds a connection.
    pub(super) fn add(&mut self, from: Option<SocketAddr>) {
        self.count = self.count.saturating_add(1);
        if let Some(from) = from {
            let held = self.by_address.entry(limit_key(from)).or_default();
            held.connections = held.connections.saturating_add(1);
        }
    }

    /// Adds a stream without a connect request.
    pub(super) fn add_stream(&mut self, from: SocketAddr) {
        self.count = self.count.saturating_add(1);
        let held = self.by_address.entry(limit_key(from)).or_default();
        held.streams = held.streams.saturating_add(1);
    }

    /// Removes a connection that closed, or completed the handshake.
    pub(super) fn remove(&mut self, from: Option<SocketAddr>) {
        self.count = self.count.saturating_sub(1);
        self.update(from, |held| held.connections = held.connections.saturating_sub(1));
    }

    /// Removes a stream that closed, or sent its connect request.
    pub(super) fn remove_stream(&mut self, from: Option<SocketAddr>) {
        self.count = self.count.saturating_sub(1);
        self.update(from, |held| held.streams = held.streams.saturating_sub(1));
    }

    fn update(&mut self, from: Option<SocketAddr>, change: impl FnOnce(&mut HalfOpenOfAddress)) {
        let Some(key) = from.map(limit_key) else { return };
        if let Some(held) = self.by_address.get_mut(&key) {
            change(held);
            if held.total() == 0 {
                self.by_address.remove(&key);
            }
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the approximate memory that the counter holds on the heap, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let addresses = self.by_address.capacity().saturating_mul(size_of::<(IpAddr, HalfOpenOfAddress)>());
        let accepted = self.accepted.capacity().saturating_mul(size_of::<(Instant, usize, ConnectionId)>());
        addresses.saturating_add(accepted)
    }
}

/// Returns the address that the limits per address count. For IPv6 it is the /56 network, which a provider may assign
/// to one customer.
pub(super) fn limit_key(from: SocketAddr) -> IpAddr {
    gamewire_machine::limited_network(from.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Option<SocketAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn r1_the_limit_of_an_address_holds() {
        let mut half_open = HalfOpenCounter::new(3, Some(2));
        half_open.add(address("10.0.0.1:1"));
        half_open.add(address("10.0.0.1:2"));
        assert!(!half_open.has_room_for(address("[::ffff:10.0.0.1]:3")));
        assert!(half_open.has_room_for(address("10.0.0.2:3")) && half_open.has_room());
        half_open.add(None);
        assert!(!half_open.has_room());
        half_open.remove(address("10.0.0.1:2"));
        assert!(half_open.has_room() && half_open.has_room_for(address("10.0.0.1:2")));
    }

    #[test]
    fn r1_a_network_of_ipv6_counts_as_one_address() {
        let mut half_open = HalfOpenCounter::new(9, Some(1));
        half_open.add(address("[2001:db8:1:2:3::4]:5"));
        assert!(!half_open.has_room_for(address("[2001:db8:1:3::4]:5")));
        assert!(half_open.has_room_for(address("[2001:db8:1:103::4]:5")));
    }

    #[test]
    fn r1_streams_without_a_connect_request_count_for_the_limit_and_not_for_the_share() {
        let mut half_open = HalfOpenCounter::new(99, Some(6));
        let from = address("10.0.0.1:1");
        (0..3).for_each(|_| half_open.add_stream(from.unwrap()));
        assert!(half_open.has_share(from, 4));
        (0..3).for_each(|_| half_open.add(from));
        assert!(!half_open.has_share(from, 4) && !half_open.has_room_for(from));
        half_open.remove_stream(from);
        assert!(!half_open.has_share(from, 4) && half_open.has_room_for(from));
    }

    #[test]
    fn r1_removed_addresses_take_no_memory() {
        let mut half_open = HalfOpenCounter::new(usize::MAX, Some(1));
        for number in 0..1_000_u32 {
            let from = Some(SocketAddr::from((number.to_be_bytes(), 1)));
            half_open.add(from);
            half_open.remove(from);
        }
        assert_eq!((half_open.count(), half_open.by_address.len()), (0, 0));
    }
}
