use crate::crypto::{Bytes32, hmac};

/// Random bytes from a secret seed. Each output replaces the seed, so that the state does not reveal the secrets of earlier
/// handshakes.
pub(crate) struct Random {
    seed: Bytes32,
}

impl Random {
    pub(crate) const fn new(seed: Bytes32) -> Self {
        Self { seed }
    }

    /// Returns the next 32 bytes.
    pub(crate) fn bytes(&mut self) -> Bytes32 {
        let bytes = hmac(&self.seed, &[b"random"]);
        self.seed = hmac(&self.seed, &[b"seed"]);
        bytes
    }

    /// Returns `N` random bytes, for `N` up to 32.
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        self.bytes().first_chunk().copied().unwrap_or([0; N])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_output_can_be_computed_from_a_later_state() {
        let mut random = Random::new([1; 32]);
        let outputs: Vec<_> = (0..100).map(|_| random.bytes()).collect();
        // An attacker has the state, and the numbers of the outputs.
        let mut later = Random::new(random.seed);
        assert!((0..200).all(|_| !outputs.contains(&later.bytes())));
        let is_repeated = |(index, output)| outputs.get(..index).is_none_or(|before| before.contains(output));
        assert!(!outputs.iter().enumerate().any(is_repeated));
        let seed = random.seed;
        let from_counter = |counter: u64| hmac(&seed, &[b"random", &counter.to_le_bytes()]);
        assert!((0..200).all(|counter| !outputs.contains(&from_counter(counter))));
    }
}
