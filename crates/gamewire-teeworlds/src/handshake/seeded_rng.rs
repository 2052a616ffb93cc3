//! Random numbers from a seed that the caller provides.

use sha2::{Digest as _, Sha256};

use crate::shared::data::Token;

/// A cryptographic random number generator: SHA-256 over a seed and a counter. The same seed gives the same numbers, so
/// a run can be repeated.
#[derive(Clone)]
pub struct SeededRng {
    seed: [u8; 32],
    block: u64,
}

impl SeededRng {
    /// Creates a generator from 32 secret random bytes.
    pub const fn new(seed: [u8; 32]) -> Self {
        Self { seed, block: 0 }
    }

    /// Returns the next 32 bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        let block = Sha256::new().chain_update(self.seed).chain_update(self.block.to_be_bytes());
        self.block = self.block.wrapping_add(1);
        block.finalize().into()
    }

    /// Returns the next key for a hash.
    pub fn key(&mut self) -> [u8; 16] {
        let mut key = [0; 16];
        key.iter_mut().zip(self.bytes()).for_each(|(to, from)| *to = from);
        key
    }

    /// Returns the next token. It is always valid, and never the empty token.
    pub fn token(&mut self) -> Token {
        let [a, b, c, d, ..] = self.bytes();
        valid_token(u32::from_be_bytes([a, b, c, d]))
    }
}

impl core::fmt::Debug for SeededRng {
    /// Omits the seed, which must not appear in a log.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SeededRng").field("block", &self.block).finish_non_exhaustive()
    }
}

/// Returns a token made from four bytes of a hash. 0 and `ffffffff` are not valid tokens.
pub(super) const fn valid_token(number: u32) -> Token {
    match number {
        0 | u32::MAX => Token(1),
        number => Token(number),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_seed_others() {
        let numbers = |seed| {
            let mut rng = SeededRng::new(seed);
            [rng.bytes(), rng.bytes()]
        };
        assert_eq!(numbers([7; 32]), numbers([7; 32]));
        let all: HashSet<_> = [numbers([7; 32]), numbers([8; 32])].concat().into_iter().collect();
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn no_token_is_the_empty_token() {
        assert_eq!([valid_token(0), valid_token(u32::MAX), valid_token(9)], [Token(1), Token(1), Token(9)]);
    }

    #[test]
    fn the_seed_is_not_logged() {
        let shown = format!("{:?}", SeededRng::new([0xab; 32]));
        assert!(!shown.contains("171") && !shown.contains("ab"), "{shown}");
    }
}
