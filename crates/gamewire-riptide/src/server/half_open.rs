use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

/// How many there are that have proven nothing, in all and by address.
#[derive(Debug)]
pub(super) struct HalfOpenCounter {
    count: usize,
    most: usize,
    /// Counted only if there is a limit for one address. Which addresses there are is up to peers,
    /// hence the hasher that they cannot guess.
    by_address: HashMap<IpAddr, usize>,
    most_per_address: Option<usize>,
}

impl HalfOpenCounter {
    pub(super) fn new(most: usize, most_per_address: Option<usize>) -> Self {
        Self { count: 0, most, by_address: HashMap::new(), most_per_address }
    }

    /// Whether there is room for one more.
    pub(super) fn has_room(&self, from: Option<SocketAddr>) -> bool {
        let of_address = from.and_then(|from| self.by_address.get(&limit_key(from))).copied().unwrap_or(0);
        self.count < self.most && self.most_per_address.is_none_or(|most| of_address < most)
    }

    /// One more, for whom there was room.
    pub(super) fn add(&mut self, from: Option<SocketAddr>) {
        self.count = self.count.saturating_add(1);
        if let Some(from) = from.filter(|_| self.most_per_address.is_some()) {
            let count = self.by_address.entry(limit_key(from)).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// One that had entered is gone, or has proven its address.
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

    /// The memory that is held beside this value, in bytes, about.
    pub(super) fn held_bytes(&self) -> usize {
        self.by_address.capacity().saturating_mul(size_of::<(IpAddr, usize)>())
    }
}

/// What one sender may have of addresses: in IPv6 a network of 64 bits.
fn limit_key(from: SocketAddr) -> IpAddr {
    match from.ip().to_canonical() {
        IpAddr::V4(ip) => ip.into(),
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Option<SocketAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn r1_an_address_gets_its_share_and_no_more() {
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
    fn r1_all_of_a_network_of_ipv6_are_one_address() {
        let mut half_open = HalfOpenCounter::new(9, Some(1));
        half_open.add(address("[2001:db8:1:2:3::4]:5"));
        assert!(!half_open.has_room(address("[2001:db8:1:2:ffff::4]:5")));
        assert!(half_open.has_room(address("[2001:db8:1:3::4]:5")));
    }

    #[test]
    fn r1_what_left_is_not_remembered() {
        let mut half_open = HalfOpenCounter::new(usize::MAX, Some(1));
        for number in 0..1_000_u32 {
            let from = Some(SocketAddr::from((number.to_be_bytes(), 1)));
            half_open.add(from);
            half_open.remove(from);
        }
        assert_eq!((half_open.count(), half_open.by_address.len()), (0, 0));
    }
}
