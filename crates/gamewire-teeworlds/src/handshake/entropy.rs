//! Numbers that nobody can guess, from a seed that the caller brought.

use sha2::{Digest as _, Sha256};

use crate::shared::data::Token;

/// A stream of numbers that cannot be guessed without its seed: SHA-256 over the seed and a
/// counter. Whoever makes a machine brings the seed from where randomness comes from; the same
/// seed gives the same numbers, so a run can be repeated.
#[derive(Clone)]
pub struct SeededRng {
    seed: [u8; 32],
    block: u64,
}

impl SeededRng {
    /// A stream over `seed`.
    #[must_use]
    pub const fn new(seed: [u8; 32]) -> Self {
        Self { seed, block: 0 }
    }

    /// The next 32 bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        let block = Sha256::new().chain_update(self.seed).chain_update(self.block.to_be_bytes());
        self.block = self.block.wrapping_add(1);
        block.finalize().into()
    }

    /// The next key for a hash.
    pub fn key(&mut self) -> [u8; 16] {
        let mut key = [0; 16];
        key.iter_mut().zip(self.bytes()).for_each(|(to, from)| *to = from);
        key
    }

    /// The next token: never one that stands for none.
    pub fn token(&mut self) -> Token {
        let [a, b, c, d, ..] = self.bytes();
        usable(u32::from_be_bytes([a, b, c, d]))
    }
}

impl core::fmt::Debug for SeededRng {
    /// Leaves out the seed: a log must not give it away.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Entropy").field("block", &self.block).finish_non_exhaustive()
    }
}

/// A token out of four bytes of a hash: no game takes 0 or `ffffffff` for one.
pub(super) const fn usable(number: u32) -> Token {
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
    fn the_same_seed_gives_the_same_numbers_and_another_gives_others() {
        let numbers = |seed| {
            let mut entropy = SeededRng::new(seed);
            [entropy.bytes(), entropy.bytes()]
        };
        assert_eq!(numbers([7; 32]), numbers([7; 32]));
        let all: HashSet<_> = [numbers([7; 32]), numbers([8; 32])].concat().into_iter().collect();
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn no_token_stands_for_none() {
        assert_eq!([usable(0), usable(u32::MAX), usable(9)], [Token(1), Token(1), Token(9)]);
    }

    #[test]
    fn a_log_does_not_give_the_seed_away() {
        let shown = format!("{:?}", SeededRng::new([0xab; 32]));
        assert!(!shown.contains("171") && !shown.contains("ab"), "{shown}");
    }
}
