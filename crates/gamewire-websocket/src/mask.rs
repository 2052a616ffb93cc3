use sha1::{Digest, Sha1};

/// Number of masks in one SHA-1 hash.
const MASKS_PER_HASH: usize = 5;

/// The masks of a client's frames: hashes of a secret seed and a counter, so that an application that chooses the content
/// of frames cannot predict their bytes (RFC 6455, section 10.3).
#[derive(Clone, Debug)]
pub(crate) struct MaskGenerator {
    seed: u64,
    counter: u64,
    ready: [[u8; 4]; MASKS_PER_HASH],
    used: usize,
}

impl MaskGenerator {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { seed, counter: 0, ready: [[0; 4]; MASKS_PER_HASH], used: MASKS_PER_HASH }
    }

    pub(crate) fn next(&mut self) -> [u8; 4] {
        if self.used >= MASKS_PER_HASH {
            let hash = hash_of_seed(b"mask", self.seed, self.counter);
            let (masks, _) = hash.as_chunks::<4>();
            for (to, from) in self.ready.iter_mut().zip(masks) {
                *to = *from;
            }
            self.counter = self.counter.wrapping_add(1);
            self.used = 0;
        }
        let mask = self.ready.get(self.used).copied().unwrap_or_default();
        self.used = self.used.saturating_add(1);
        mask
    }
}

/// Returns 20 bytes that only the owner of the seed can predict.
pub(crate) fn hash_of_seed(purpose: &[u8; 4], seed: u64, counter: u64) -> [u8; 20] {
    let mut hash = Sha1::new();
    hash.update(purpose);
    hash.update(seed.to_le_bytes());
    hash.update(counter.to_le_bytes());
    hash.finalize().into()
}
