//! Random numbers that are the same in every run, and mutations of bytes.

/// Returns the number of inputs that a test makes: `long` if `GAMEWIRE_LONG` is 1, which `cargo xtask test --long`
/// sets, and `usual` otherwise.
pub fn rounds(usual: usize, long: usize) -> usize {
    if std::env::var_os("GAMEWIRE_LONG").is_some_and(|value| value == "1") { long } else { usual }
}

/// A random number generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `limit`, or 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }
}

/// Changes `bytes` in one to four places. At each, bytes are flipped, replaced, cut, repeated or inserted.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random, limit: usize) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            2 if !bytes.is_empty() => bytes[at] = [0, 0x7f, 0x80, 0xff, 0x40, 0x3f][random.below(6)],
            3 => bytes.truncate(at),
            4 => {
                let inserted: Vec<u8> = (0..random.below(9)).map(|_| random.next() as u8).collect();
                bytes.splice(at..at, inserted);
            }
            _ => {
                let end = (at + random.below(32)).min(bytes.len());
                let copied = bytes[at.min(end)..end].to_vec();
                bytes.splice(at..at, copied);
            }
        }
    }
    bytes.truncate(limit);
}
