use crate::crypto::{Bytes32, hmac};

/// Random bytes from a secret seed: HMACs of a counter.
pub(crate) struct Random {
    seed: Bytes32,
    counter: u64,
}

impl Random {
    pub(crate) const fn new(seed: Bytes32) -> Self {
        Self { seed, counter: 0 }
    }

    /// Returns the next 32 bytes.
    pub(crate) fn bytes(&mut self) -> Bytes32 {
        let bytes = hmac(&self.seed, &[b"random", &self.counter.to_le_bytes()]);
        self.counter = self.counter.wrapping_add(1);
        bytes
    }

    /// Returns `N` random bytes, for `N` up to 32.
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        self.bytes().first_chunk().copied().unwrap_or([0; N])
    }
}
