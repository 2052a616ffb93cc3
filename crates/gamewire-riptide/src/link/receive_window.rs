/// Ids before the last one that the window covers, as in the C# library after 2.2.1.
pub(super) const MAX_SPAN: usize = 1024;
const WORD: usize = 64;

/// The reliable messages of the peer that have arrived, for both formats.
///
/// The C# library loses messages here: 2.0 keeps its last id when 16 to 79 ids in a row are missing, and 2.1 up to
/// 2.2.1 shifts its bit field wrongly and lets it grow without bound. The correct window does not change the wire
/// format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReceivedIds {
    /// The newest id.
    pub(super) last: u16,
    /// Number of ids before `last` that `words` covers. All earlier ids count as arrived.
    pub(super) span: usize,
    /// One bit for each id. The lowest bit is the id before `last`.
    pub(super) words: [u64; MAX_SPAN / WORD],
}

/// The check of a sequence id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeqCheck {
    /// The message is new.
    New,
    /// The message arrived before, or is older than the window.
    Duplicate,
    /// The id is too far ahead for the window. Nothing changed, and the connection must close, because missing messages
    /// would count as duplicates.
    OutOfWindow,
}

impl ReceivedIds {
    /// Returns the 16 ids before the last one, for an ack.
    #[inline]
    pub(super) fn first_16(&self) -> u16 {
        let [one, two, ..] = self.words.first().copied().unwrap_or(0).to_le_bytes();
        u16::from_le_bytes([one, two])
    }

    /// Returns whether a message with this id arrived.
    pub(super) fn has(&self, id: u16) -> bool {
        let gap = seq_diff(id, self.last);
        let distance = usize::try_from(gap.unsigned_abs()).unwrap_or(usize::MAX);
        gap == 0 || (gap < 0 && self.is_set(distance))
    }

    /// Checks the id of a message and adds it.
    #[inline(always)]
    pub(super) fn check(&mut self, id: u16) -> SeqCheck {
        if id == self.last.wrapping_add(1)
            && self.span < WORD
            && let Some(word) = self.words.first_mut()
        {
            // Nearly every message follows the one before it.
            *word = word.wrapping_shl(1) | 1;
            self.span = self.span.wrapping_add(1);
            self.last = id;
            return SeqCheck::New;
        }
        self.check_any(id)
    }

    fn check_any(&mut self, id: u16) -> SeqCheck {
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

    /// Moves the window by `distance` ids. Returns whether it covers all missing ids.
    fn advance(&mut self, distance: usize) -> bool {
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

    /// Shrinks the window by the oldest ids that have arrived.
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

    /// Shifts the words that the window covers.
    fn shift_by_one(&mut self) {
        let mut carry = 0;
        for word in self.words.iter_mut().take(self.span.div_ceil(WORD)) {
            (*word, carry) = (word.wrapping_shl(1) | carry, *word >> (WORD - 1));
        }
    }

    /// Returns whether the id `distance` before the last one arrived.
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

/// Returns the index of the word and the bit for the id `distance` before the last one.
fn word_and_bit(distance: usize) -> (usize, u64) {
    let index = distance.saturating_sub(1);
    (index / WORD, 1_u64.wrapping_shl(u32::try_from(index % WORD).unwrap_or(0)))
}

/// Returns the signed distance from `other` to `id` (RFC 1982). Of two numbers that are 32768 apart, the greater one is
/// after the other.
pub(super) fn seq_diff(id: u16, other: u16) -> i32 {
    let difference = i32::from(id).wrapping_sub(i32::from(other));
    match difference {
        ..=-32_769 => difference.wrapping_add(65_536),
        32_769.. => difference.wrapping_sub(65_536),
        _ => difference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r4_gaps_wrap_and_half_of_all_numbers_goes_by_size() {
        let gaps = [(1, 0), (0, 1), (0, 65_535), (65_535, 0), (32_768, 0), (0, 32_768), (32_769, 0), (7, 7)];
        let expected = [1, -1, 1, -1, 32_768, -32_768, -32_767, 0];
        assert_eq!(gaps.map(|(id, other)| seq_diff(id, other)), expected);
    }
}
