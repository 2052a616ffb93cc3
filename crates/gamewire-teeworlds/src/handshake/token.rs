//! The tokens of a server, which it recognizes without storing them.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use gamewire_machine::Instant;
use sha2::{Digest as _, Sha256};

use super::seeded_rng::{SeededRng, valid_token};
use crate::shared::data::Token;

/// The purpose of a token. Each purpose has its own tokens, so that a token of one handshake is not valid in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A connection in the dialect of DDNet.
    Tken,
    /// A second connection of an address in the dialect of DDNet. It distinguishes the ACCEPT of the new connection
    /// from a late copy of the first one.
    TkenAgain,
    /// A connection of 0.6.5.
    V065,
    /// A connection or a browsing message of 0.7.
    V07,
    /// The tick that a client older than 0.6.5 returns.
    Antispoof,
}

impl Purpose {
    /// Returns how long a token is the current one. After that it stays valid for the same time.
    const fn period(self) -> Duration {
        match self {
            Self::V065 => Duration::from_secs(10),
            Self::Tken | Self::TkenAgain | Self::V07 | Self::Antispoof => Duration::from_secs(16),
        }
    }

    /// Returns whether the token depends on the port. For the other purposes, games use one token for all their
    /// sockets.
    const fn includes_port(self) -> bool {
        matches!(self, Self::V065 | Self::Antispoof)
    }
}

/// Tokens computed from a secret, the address and the time, so that nothing is stored for an address.
///
/// Time is counted in periods. A token is valid in its own period and in the next one.
#[derive(Clone)]
pub(super) struct ServerTokens {
    secret: [u8; 16],
}

impl ServerTokens {
    pub(super) fn new(rng: &mut SeededRng) -> Self {
        Self { secret: rng.key() }
    }

    /// Returns the token of `address` at `now`.
    pub(super) fn current(&self, now: Instant, purpose: Purpose, address: SocketAddr) -> Token {
        self.at(period_of(now, purpose), purpose, address)
    }

    /// Returns whether `token` is the token of `address` in this period or in the previous one.
    pub(super) fn accepts(&self, now: Instant, purpose: Purpose, address: SocketAddr, token: Token) -> bool {
        let period = period_of(now, purpose);
        let previous = period.checked_sub(1);
        token == self.at(period, purpose, address)
            || previous.is_some_and(|previous| token == self.at(previous, purpose, address))
    }

    fn at(&self, period: u64, purpose: Purpose, address: SocketAddr) -> Token {
        let ip = match address.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped(),
            IpAddr::V6(ip) => ip,
        };
        let port = if purpose.includes_port() { address.port() } else { 0 };
        // The input fits into one block of the hash, because it is computed for every datagram of a flood.
        let hash = Sha256::new()
            .chain_update(self.secret)
            .chain_update([purpose as u8])
            .chain_update(period.to_be_bytes())
            .chain_update(ip.octets())
            .chain_update(port.to_be_bytes());
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash.finalize());
        let number = u32::from_be_bytes([a, b, c, d]);
        match purpose {
            // The tick must be positive, and so must the two ticks before it.
            Purpose::Antispoof => Token((number & 0x7fff_ffff).max(2)),
            _ => valid_token(number),
        }
    }
}

impl core::fmt::Debug for ServerTokens {
    /// Omits the secret, which must not appear in a log.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ServerTokens").finish_non_exhaustive()
    }
}

fn period_of(now: Instant, purpose: Purpose) -> u64 {
    let micros = u64::try_from(purpose.period().as_micros()).unwrap_or(u64::MAX);
    now.as_micros().checked_div(micros).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Purpose; 5] =
        [Purpose::Tken, Purpose::TkenAgain, Purpose::V065, Purpose::V07, Purpose::Antispoof];

    fn tokens() -> ServerTokens {
        ServerTokens::new(&mut SeededRng::new([3; 32]))
    }

    fn at(seconds: u64) -> Instant {
        Instant::from_micros(seconds.saturating_mul(1_000_000))
    }

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn t2_tokens_of_this_and_the_previous_period_are_valid_and_older_ones_are_not() {
        let (tokens, from) = (tokens(), address("10.0.0.1:5000"));
        for purpose in ALL {
            let period = purpose.period().as_secs();
            let token = tokens.current(at(5 * period), purpose, from);
            for (seconds, counts) in [
                (5 * period, true),
                (6 * period - 1, true),
                (6 * period, true),
                (7 * period - 1, true),
                (7 * period, false),
                (100 * period, false),
                (4 * period, false),
            ] {
                assert_eq!(
                    tokens.accepts(at(seconds), purpose, from, token),
                    counts,
                    "{purpose:?} {seconds}"
                );
            }
        }
    }

    #[test]
    fn t2_a_token_is_not_valid_for_another_address_or_purpose() {
        let (tokens, from) = (tokens(), address("10.0.0.1:5000"));
        for purpose in ALL {
            let token = tokens.current(at(1), purpose, from);
            assert!(tokens.accepts(at(1), purpose, from, token));
            assert!(!tokens.accepts(at(1), purpose, address("10.0.0.2:5000"), token), "{purpose:?}");
            assert!(!tokens.accepts(at(1), purpose, address("[::1]:5000"), token), "{purpose:?}");
            let other_port = tokens.accepts(at(1), purpose, address("10.0.0.1:5001"), token);
            assert_eq!(other_port, !purpose.includes_port(), "{purpose:?}");
            for other in ALL.into_iter().filter(|other| *other != purpose) {
                assert!(!tokens.accepts(at(1), other, from, token), "{purpose:?} {other:?}");
            }
        }
    }

    #[test]
    fn another_server_has_other_tokens() {
        let other = ServerTokens::new(&mut SeededRng::new([4; 32]));
        let from = address("10.0.0.1:5000");
        let token = tokens().current(at(1), Purpose::V07, from);
        assert!(!other.accepts(at(1), Purpose::V07, from, token));
    }

    #[test]
    fn an_ipv4_address_and_its_mapped_form_have_the_same_token() {
        let tokens = tokens();
        let [plain, mapped] = ["10.0.0.1:5000", "[::ffff:10.0.0.1]:5000"].map(address);
        let token = tokens.current(at(1), Purpose::V065, plain);
        assert!(tokens.accepts(at(1), Purpose::V065, mapped, token));
    }
}
