//! The tokens that a server hands out and recognises without keeping them.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use gamewire_machine::Instant;
use sha2::{Digest as _, Sha256};

use super::entropy::{SeededRng, usable};
use crate::shared::data::Token;

/// What a token is handed out for. Each purpose has tokens of its own, so that one learned in one
/// handshake is worth nothing in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A connection of DDNet's dialect.
    Tken,
    /// Another one for an address that already has one: tells the ACCEPT of a new connection from
    /// a late copy of the first.
    TkenAgain,
    /// A connection of 0.6.5.
    V065,
    /// A connection or a browsing message of 0.7.
    V07,
    /// The tick that a client before 0.6.5 gives back.
    Puzzle,
}

impl Purpose {
    /// How long a key is the current one; for as long again its tokens still count.
    const fn period(self) -> Duration {
        match self {
            Self::V065 => Duration::from_secs(10),
            Self::Tken | Self::TkenAgain | Self::V07 | Self::Puzzle => Duration::from_secs(16),
        }
    }

    /// Whether another port of the same host has another token. Elsewhere games keep one token
    /// for all their sockets.
    const fn counts_port(self) -> bool {
        matches!(self, Self::V065 | Self::Puzzle)
    }
}

/// Tokens made from a secret, the address and the time: nothing is kept for an address.
///
/// The time counts in periods. A token is right in the period that it was made in and in the next
/// one.
#[derive(Clone)]
pub(super) struct ServerTokens {
    secret: [u8; 16],
}

impl ServerTokens {
    pub(super) fn new(entropy: &mut SeededRng) -> Self {
        Self { secret: entropy.key() }
    }

    /// The token of `address` now.
    pub(super) fn current(&self, now: Instant, purpose: Purpose, address: SocketAddr) -> Token {
        self.at(period_of(now, purpose), purpose, address)
    }

    /// Whether `token` was handed out to `address` in this period or in the last.
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
        let port = if purpose.counts_port() { address.port() } else { 0 };
        // Short enough for one block of the hash: this is done for every datagram of a flood.
        let hash = Sha256::new()
            .chain_update(self.secret)
            .chain_update([purpose as u8])
            .chain_update(period.to_be_bytes())
            .chain_update(ip.octets())
            .chain_update(port.to_be_bytes());
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash.finalize());
        let number = u32::from_be_bytes([a, b, c, d]);
        match purpose {
            // A tick is positive, and two ticks before it must be ticks too.
            Purpose::Puzzle => Token((number & 0x7fff_ffff).max(2)),
            _ => usable(number),
        }
    }
}

impl core::fmt::Debug for ServerTokens {
    /// Leaves out the secret: a log must not give it away.
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
        [Purpose::Tken, Purpose::TkenAgain, Purpose::V065, Purpose::V07, Purpose::Puzzle];

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
    fn t2_tokens_of_this_and_the_last_period_count_and_no_older_ones() {
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
    fn t2_a_token_is_worth_nothing_to_another_address_or_for_another_purpose() {
        let (tokens, from) = (tokens(), address("10.0.0.1:5000"));
        for purpose in ALL {
            let token = tokens.current(at(1), purpose, from);
            assert!(tokens.accepts(at(1), purpose, from, token));
            assert!(!tokens.accepts(at(1), purpose, address("10.0.0.2:5000"), token), "{purpose:?}");
            assert!(!tokens.accepts(at(1), purpose, address("[::1]:5000"), token), "{purpose:?}");
            let other_port = tokens.accepts(at(1), purpose, address("10.0.0.1:5001"), token);
            assert_eq!(other_port, !purpose.counts_port(), "{purpose:?}");
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
    fn an_address_has_one_token_in_both_of_its_forms() {
        let tokens = tokens();
        let [plain, mapped] = ["10.0.0.1:5000", "[::ffff:10.0.0.1]:5000"].map(address);
        let token = tokens.current(at(1), Purpose::V065, plain);
        assert!(tokens.accepts(at(1), Purpose::V065, mapped, token));
    }
}
