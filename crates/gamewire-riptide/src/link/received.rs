use super::gap::seq_diff;

/// How many ids before the last one are told apart (the original's main branch: 32 segments of 32).
pub(super) const MAX_SPAN: usize = 1024;
const WORD: usize = 64;

/// Which reliable messages of the peer have arrived: both versions, in place of the 16 + 64 bits
/// of 2.0.
///
/// The original of 2.0 does not move its last id when 16 to 79 ids in a row are missing, and takes
/// them for duplicates when they arrive; up to 2.2.1 the field of 2.1 shifts wrongly across its
/// segments and grows without a bound. None of that shows on the wire.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReceivedIds {
    /// The newest.
    pub(super) last: u16,
    /// How many ids before it are told apart; all before those count as arrived.
    pub(super) span: usize,
    /// The lowest bit is the id before the last.
    pub(super) words: [u64; MAX_SPAN / WORD],
}

/// What the id of a message says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeqCheck {
    /// It was not there before.
    New,
    /// It was, or so long ago that nobody knows.
    Duplicate,
    /// It is so far ahead that missing ones could no longer be told from duplicates. Nothing has
    /// changed, and the connection must end: no message may be acknowledged and then dropped.
    OutOfWindow,
}

impl ReceivedIds {
    /// The 16 ids before the last, for an ack.
    #[inline]
    pub(super) fn first_16(&self) -> u16 {
        let [one, two, ..] = self.words.first().copied().unwrap_or(0).to_le_bytes();
        u16::from_le_bytes([one, two])
    }

    /// Whether the id of a message counts as arrived.
    pub(super) fn has(&self, id: u16) -> bool {
        let gap = seq_diff(id, self.last);
        let distance = usize::try_from(gap.unsigned_abs()).unwrap_or(usize::MAX);
        gap == 0 || (gap < 0 && self.is_set(distance))
    }

    /// Takes the id of a message.
    #[inline(always)]
    pub(super) fn take(&mut self, id: u16) -> SeqCheck {
        if id == self.last.wrapping_add(1)
            && self.span < WORD
            && let Some(word) = self.words.first_mut()
        {
            // What nearly every message does: it follows the one before it.
            *word = word.wrapping_shl(1) | 1;
            self.span = self.span.wrapping_add(1);
            self.last = id;
            return SeqCheck::New;
        }
        self.take_any(id)
    }

    fn take_any(&mut self, id: u16) -> SeqCheck {
        let gap = seq_diff(id, self.last);
        let distance = usize::try_from(gap.unsigned_abs()).unwrap_or(usize::MAX);
        if gap > 0 {
            if !self.advance(distance) {
                return SeqCheck::OutOfWindow;
            }
            self.last = id;
            self.set(distance);
            return SeqCheck::New;
        }
        if gap == 0 || self.is_set(distance) {
            return SeqCheck::Duplicate;
        }
        self.set(distance);
        SeqCheck::New
    }

    /// Makes room for `distance` newer ids, if there is any.
    fn advance(&mut self, distance: usize) -> bool {
        // Nearly always one word is enough, and there is nothing to be shifted in the others.
        if self.span.saturating_add(distance) > WORD {
            self.trim();
        }
        let span = self.span.saturating_add(distance);
        if span > MAX_SPAN {
            return false;
        }
        self.span = span;
        self.shift(distance);
        true
    }

    /// Forgets the oldest ids as far as all of them have arrived: what is not told apart counts as
    /// arrived.
    fn trim(&mut self) {
        if self.span <= WORD && self.words.first().is_some_and(|word| word.count_ones() == u64::BITS) {
            self.span = 0;
        }
        while self.span > 0 && self.is_set(self.span) {
            self.span = self.span.saturating_sub(1);
        }
    }

    fn shift(&mut self, distance: usize) {
        if distance == 1 {
            return self.shift_by_one();
        }
        let (words, bits) = (distance / WORD, u32::try_from(distance % WORD).unwrap_or(0));
        for at in (0..self.words.len()).rev() {
            let word = |back: usize| at.checked_sub(back).and_then(|from| self.words.get(from)).copied();
            let high = word(words).unwrap_or(0).wrapping_shl(bits);
            let low = word(words.saturating_add(1)).unwrap_or(0);
            let low = low.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0);
            if let Some(to) = self.words.get_mut(at) {
                *to = high | low;
            }
        }
    }

    /// What nearly every message does: it follows the one before it. Only words with something in
    /// them need to move.
    fn shift_by_one(&mut self) {
        let mut carry = 0;
        for word in self.words.iter_mut().take(self.span.div_ceil(WORD)) {
            (*word, carry) = (word.wrapping_shl(1) | carry, *word >> (WORD - 1));
        }
    }

    /// Whether the id `distance` before the last has arrived.
    fn is_set(&self, distance: usize) -> bool {
        if distance > self.span {
            return true;
        }
        let (word, bit) = word_and_bit(distance);
        self.words.get(word).is_none_or(|word| word & bit != 0)
    }

    fn set(&mut self, distance: usize) {
        let (word, bit) = word_and_bit(distance);
        if let Some(word) = self.words.get_mut(word) {
            *word |= bit;
        }
    }
}

/// The word and the bit in it of the id `distance` before the last.
fn word_and_bit(distance: usize) -> (usize, u64) {
    let index = distance.saturating_sub(1);
    (index / WORD, 1_u64.wrapping_shl(u32::try_from(index % WORD).unwrap_or(0)))
}
