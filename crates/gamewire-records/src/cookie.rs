use core::time::Duration;
use std::net::{IpAddr, SocketAddr};

use gamewire_machine::Instant;

use crate::crypto::{Bytes32, hmac, verify_hmac};
use crate::wire::{COOKIE_BYTES, NONCE_BYTES};

/// A cookie is valid in its period and the next one.
const PERIOD: Duration = Duration::from_secs(10);

/// Cookies prove that a client receives at its address, without memory: an HMAC of address, nonce and time.
pub(crate) struct Cookies {
    secret: Bytes32,
}

impl Cookies {
    pub(crate) const fn new(secret: Bytes32) -> Self {
        Self { secret }
    }

    pub(crate) fn make(
        &self,
        now: Instant,
        from: SocketAddr,
        nonce: [u8; NONCE_BYTES],
    ) -> [u8; COOKIE_BYTES] {
        let (ip, port) = address_bytes(from);
        let mac = hmac(&self.secret, &[&period(now).to_le_bytes(), &ip, &port, &nonce]);
        mac.first_chunk().copied().unwrap_or_default()
    }

    pub(crate) fn is_valid(
        &self,
        now: Instant,
        from: SocketAddr,
        nonce: [u8; NONCE_BYTES],
        cookie: &[u8; COOKIE_BYTES],
    ) -> bool {
        let (ip, port) = address_bytes(from);
        let period = period(now);
        [Some(period), period.checked_sub(1)]
            .into_iter()
            .flatten()
            .any(|period| verify_hmac(&self.secret, &[&period.to_le_bytes(), &ip, &port, &nonce], cookie))
    }
}

fn period(now: Instant) -> u64 {
    now.as_micros().checked_div(u64::try_from(PERIOD.as_micros()).unwrap_or(1)).unwrap_or(0)
}

fn address_bytes(address: SocketAddr) -> ([u8; 16], [u8; 2]) {
    let ip = match address.ip().to_canonical() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped(),
        IpAddr::V6(ip) => ip,
    };
    (ip.octets(), address.port().to_le_bytes())
}
