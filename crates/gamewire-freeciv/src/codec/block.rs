//! Sixteen bytes at once.
//!
//! Most texts and small arrays fit in a block. What is read in blocks takes the same few instructions however
//! long it is, where nobody could foretell how often a loop goes round.

/// The next sixteen bytes of a body, and zeros where it has ended.
#[derive(Clone, Copy, Debug)]
pub struct Block(u128);

/// 1 in each byte.
const ONES: u128 = u128::from_ne_bytes([1; Block::SIZE]);

impl Block {
    /// Bytes of a block.
    pub(super) const SIZE: usize = 16;

    /// Of these bytes.
    #[inline(always)]
    pub(super) const fn new(bytes: [u8; Self::SIZE]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// The first bytes of some that are left, which `whole` ends with.
    #[inline(always)]
    pub(super) fn at_start(rest: &[u8], whole: &[u8]) -> Self {
        if let Some(bytes) = rest.first_chunk() {
            return Self::new(*bytes);
        }
        match (whole.last_chunk(), Self::SIZE.checked_sub(rest.len()).and_then(bits)) {
            (Some(bytes), Some(before)) => Self(Self::new(*bytes).0.checked_shr(before).unwrap_or(0)),
            _ => Self::padded(rest),
        }
    }

    /// Fewer bytes than a block has.
    #[cold]
    fn padded(rest: &[u8]) -> Self {
        Self(rest.iter().rev().fold(0, |block, byte| block << 8 | u128::from(*byte)))
    }

    /// Its bytes.
    #[inline(always)]
    pub(super) const fn bytes(self) -> [u8; Self::SIZE] {
        self.0.to_le_bytes()
    }

    /// How many bytes there are before the first that is 0; all of them if none is.
    #[inline(always)]
    pub(super) fn first_nul(self) -> usize {
        // The lowest bit that this leaves is in the first byte that is 0.
        let zeros = self.0.wrapping_sub(ONES) & !self.0 & (ONES << 7);
        usize::try_from(zeros.trailing_zeros() / 8).unwrap_or(Self::SIZE)
    }

    /// Where the byte is that is 0 and has `before` such bytes before it.
    #[inline(always)]
    pub(super) fn nul(self, before: usize) -> usize {
        const LOW: u128 = ONES.wrapping_mul(0x7f);
        // The highest bit of each byte that is 0, and nothing else.
        let mut zeros = !(((self.0 & LOW).wrapping_add(LOW)) | self.0 | LOW);
        for _ in 0..before {
            zeros &= zeros.wrapping_sub(1);
        }
        usize::try_from(zeros.trailing_zeros() / 8).unwrap_or(Self::SIZE)
    }

    /// Which bytes are 1.
    #[inline(always)]
    pub(super) fn bools(self) -> [bool; Self::SIZE] {
        let mut bools = [false; Self::SIZE];
        ones(&self.bytes(), &mut bools);
        bools
    }

    /// Whether the first `count` bytes are 0 or 1; never more than there are in a block.
    #[inline(always)]
    pub(super) fn is_bools(self, count: usize) -> bool {
        let others = self.0 & !ONES;
        let behind = Self::SIZE.checked_sub(count).and_then(bits);
        behind.is_some_and(|behind| others.checked_shl(behind).unwrap_or(0) == 0)
    }
}

/// Which bytes are 1; a function of its own, as the compiler makes a muddle of it among others.
#[inline(never)]
fn ones(bytes: &[u8; Block::SIZE], ones: &mut [bool; Block::SIZE]) {
    *ones = bytes.map(|byte| byte == 1);
}

/// How many bits some bytes have.
#[inline(always)]
fn bits(bytes: usize) -> Option<u32> {
    u32::try_from(bytes.saturating_mul(8)).ok()
}

#[cfg(test)]
mod tests {
    use super::Block;

    #[test]
    fn a_block_says_of_its_bytes_what_they_say_one_by_one() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from((seed >> 33) % below).unwrap()
        };
        const USUAL: [u8; 8] = [0, 0, 1, 1, 1, 2, 128, 255];
        for _ in 0..20_000 {
            let few = 1 + u64::try_from(random(8)).unwrap();
            let whole: Vec<u8> = (0..random(40)).map(|_| USUAL[random(few)]).collect();
            let rest = &whole[random(whole.len() as u64 + 1)..];
            let first = &rest[..rest.len().min(Block::SIZE)];
            for block in
                [Block::at_start(rest, &whole), Block::at_start(rest, &[]), Block::at_start(rest, rest)]
            {
                let bytes = block.bytes();
                assert_eq!(&bytes[..first.len()], first);
                assert!(bytes[first.len()..].iter().all(|byte| *byte == 0), "{whole:?} {rest:?}");
                let nuls: Vec<usize> = (0..Block::SIZE).filter(|at| bytes[*at] == 0).collect();
                assert_eq!(block.first_nul(), nuls.first().copied().unwrap_or(Block::SIZE), "{bytes:?}");
                for (before, nul) in nuls.iter().enumerate() {
                    assert_eq!(block.nul(before), *nul, "{bytes:?}");
                }
                assert_eq!(block.nul(nuls.len()), Block::SIZE);
                assert_eq!(block.bools(), bytes.map(|byte| byte == 1));
                for count in 0..=Block::SIZE {
                    let is_bools = bytes[..count].iter().all(|byte| *byte < 2);
                    assert_eq!(block.is_bools(count), is_bools, "{count} of {bytes:?}");
                }
                assert!(!block.is_bools(Block::SIZE + 1));
            }
        }
    }
}
