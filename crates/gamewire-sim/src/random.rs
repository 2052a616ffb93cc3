//! Random numbers that are the same in every run, and mutations of bytes, for tests.

/// Returns the number of inputs that a test makes: `long` if the environment variable `GAMEWIRE_LONG` is 1, and
/// `usual` otherwise.
#[must_use]
pub fn rounds(usual: usize, long: usize) -> usize {
    if std::env::var_os("GAMEWIRE_LONG").is_some_and(|value| value == "1") { long } else { usual }
}

/// A random number generator with a seed (xorshift64*). It is not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator. The lowest bit of `seed` has no effect.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Returns the next number.
    pub const fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns the lowest byte of the next number.
    #[expect(clippy::cast_possible_truncation, reason = "the lowest byte is meant")]
    pub const fn byte(&mut self) -> u8 {
        self.number() as u8
    }

    /// Returns a number below `limit`, or 0 if `limit` is 0.
    #[expect(clippy::arithmetic_side_effects, reason = "no limit is 0 here")]
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() >> 11) as usize % limit.max(1)
    }

    /// Returns random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }
}

/// Changes `bytes` in one to four places. At each, bytes are flipped, replaced, cut, repeated or inserted. The result
/// has at most `limit` bytes.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random, limit: usize) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match (random.below(6), bytes.get_mut(at)) {
            (0, Some(byte)) => *byte ^= 1 << random.below(8),
            (1, Some(byte)) => *byte = random.byte(),
            (2, Some(byte)) => {
                *byte = [0, 0x7f, 0x80, 0xff, 0x40, 0x3f].get(random.below(6)).copied().unwrap_or_default();
            }
            (3, _) => bytes.truncate(at),
            (4, _) => {
                let count = random.below(9);
                bytes.splice(at..at, random.bytes(count));
            }
            _ => {
                let end = at.saturating_add(random.below(32)).min(bytes.len());
                let copied = bytes.get(at..end).unwrap_or_default().to_vec();
                bytes.splice(at..at, copied);
            }
        }
    }
    bytes.truncate(limit);
}
