use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

/// The number of half-open connections and streams, in total and by address.
#[derive(Debug)]
pub(super) struct HalfOpenCounter {
    count: usize,
    max: usize,
    /// Half-open connections by address, only if addresses have a limit. Peers choose their addresses, so the hasher is
    /// unpredictable for them.
    by_address: HashMap<IpAddr, usize>,
    max_per_address: Option<usize>,
}

impl HalfOpenCounter {
    pub(super) fn new(max: usize, max_per_address: Option<usize>) -> Self {
        Self { count: 0, max, by_address: HashMap::new(), max_per_address }
    }

    /// Returns whether one more is allowed.
    pub(super) fn has_room(&self, from: Option<SocketAddr>) -> bool {
        let of_address = from.and_then(|from| self.by_address.get(&limit_key(from))).copied().unwrap_or(0);
        self.count < self.max && self.max_per_address.is_none_or(|max| of_address < max)
    }

    /// Adds one.
    pub(super) fn add(&mut self, from: Option<SocketAddr>) {
        self.count = self.count.saturating_add(1);
        if let Some(from) = from.filter(|_| self.max_per_address.is_some()) {
            let count = self.by_address.entry(limit_key(from)).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// Removes one that closed, or completed the handshake.
    pub(super) fn remove(&mut self, from: Option<SocketAddr>) {
        self.count = self.count.saturating_sub(1);
        let Some(from) = from else { return };
        if let Some(count) = self.by_address.get_mut(&limit_key(from)) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.by_address.remove(&limit_key(from));
            }
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the approximate memory that the counter holds on the heap, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.by_address.capacity().saturating_mul(size_of::<(IpAddr, usize)>())
    }
}

/// Returns the address that a limit counts: for IPv6 its /64 network, which one sender usually owns.
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
        assert!(!half_open.has_room(address("[::ffff:10.0.0.1]:3")));
        assert!(half_open.has_room(address("10.0.0.2:3")));
        half_open.add(None);
        assert!(!half_open.has_room(address("10.0.0.2:3")) && !half_open.has_room(None));
        half_open.remove(address("10.0.0.1:2"));
        assert!(half_open.has_room(address("10.0.0.1:2")));
    }

    #[test]
    fn r1_a_network_of_ipv6_counts_as_one_address() {
        let mut half_open = HalfOpenCounter::new(9, Some(1));
        half_open.add(address("[2001:db8:1:2:3::4]:5"));
        assert!(!half_open.has_room(address("[2001:db8:1:2:ffff::4]:5")));
        assert!(half_open.has_room(address("[2001:db8:1:3::4]:5")));
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
