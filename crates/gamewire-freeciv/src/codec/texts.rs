use core::fmt;
use std::borrow::Cow;

use super::array::enough;
use super::block::Block;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::text::{Text, TextError, missing_nul, replace};
use super::wire::{ElementCount, Wire, WrongCount, fits, lists_differ};
use crate::delta::Value;

/// Texts of fewer than `SIZE` bytes each without NUL, as many as another field says.
///
/// They are kept as they stand on the wire, one behind the other with their NULs.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Texts<const SIZE: usize> {
    bytes: Vec<u8>,
    count: usize,
}

impl<const SIZE: usize> Texts<SIZE> {
    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The texts without their NULs.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let pieces = self.bytes.split_inclusive(|byte| *byte == 0);
        pieces.map(|text| text.split_last().map_or(text, |(_, text)| text))
    }

    /// The texts, with a replacement for what is not UTF-8.
    pub fn iter_lossy(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.iter().map(String::from_utf8_lossy)
    }

    /// Adds a text.
    ///
    /// # Errors
    /// When it is too long or has a NUL.
    pub fn push(&mut self, text: impl AsRef<[u8]>) -> Result<(), TextError> {
        let text = text.as_ref();
        TextError::check(text, SIZE)?;
        self.bytes.extend_from_slice(text);
        self.bytes.push(0);
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Removes all texts.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.count = 0;
    }
}

impl<const SIZE: usize> fmt::Debug for Texts<SIZE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter_lossy()).finish()
    }
}

impl<const SIZE: usize> Wire for Texts<SIZE> {
    const ZERO: Self = Self { bytes: Vec::new(), count: 0 };
    const MIN_BYTES: usize = 0;

    fn read<S: Source>(&mut self, from: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        let (count, _) = ElementCount::split(counts);
        let count = count.get().map_err(|(expected, found)| from.error(0, expected, found))?;
        enough::<Text<1>, S>(count, from)?;
        let (seen, length) = ends(from.remaining(), count, SIZE);
        if seen < count {
            // What is wrong stands behind the texts that are right.
            from.enter();
            from.element(seen);
            from.take(length, "texts")?;
            return Err(missing_nul(from, SIZE));
        }
        replace(&mut self.bytes, from.take(length, "texts")?);
        self.count = count;
        Ok(())
    }

    fn write<S: Sink>(&self, to: &mut S, counts: &[ElementCount]) -> Result<(), S::Error> {
        let (count, _) = ElementCount::split(counts);
        to.counted(count, self.count)?;
        to.slice(&self.bytes);
        Ok(())
    }

    fn resize_to(&mut self, count: usize) {
        if count < self.count {
            let kept: usize =
                self.bytes.split_inclusive(|byte| *byte == 0).take(count).map(<[u8]>::len).sum();
            self.bytes.truncate(kept);
        } else {
            let missing = count.saturating_sub(self.count);
            self.bytes.resize(self.bytes.len().saturating_add(missing), 0);
        }
        self.count = count;
    }

    #[inline]
    fn matches_count(&self, counts: &[ElementCount]) -> Result<bool, WrongCount> {
        fits(self.count, counts)
    }

    #[inline]
    fn differs(&self, old: &Self) -> bool {
        self.count != old.count || lists_differ(&self.bytes, &old.bytes)
    }

    #[inline]
    fn reset(&mut self) {
        self.clear();
    }

    fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

/// How many texts there are that fit, of those asked for, and where they end.
#[inline]
fn ends(rest: &[u8], count: usize, size: usize) -> (usize, usize) {
    find_end_fast(rest, count, size).map_or_else(|| find_ends_checked(rest, count, size), |end| (count, end))
}

#[inline(never)]
fn find_ends_checked(rest: &[u8], count: usize, size: usize) -> (usize, usize) {
    let (mut seen, mut end) = (0_usize, 0_usize);
    if count == 0 {
        return (seen, end);
    }
    for nul in memchr::memchr_iter(0, rest) {
        if nul.saturating_sub(end) >= size {
            break;
        }
        end = nul.saturating_add(1);
        seen = seen.saturating_add(1);
        if seen == count {
            break;
        }
    }
    (seen, end)
}

/// Where so many texts end, if none of them can be too long: their NULs are counted, chunk by chunk.
#[inline]
fn find_end_fast(rest: &[u8], count: usize, size: usize) -> Option<usize> {
    const CHUNK: usize = Block::SIZE;
    let mut missing = count;
    // A text that is too long has at least so many whole chunks without a NUL.
    let too_long = size.checked_sub(CHUNK.saturating_sub(1))? / CHUNK;
    let mut without = 0_usize;
    for (index, chunk) in rest.as_chunks::<CHUNK>().0.iter().enumerate() {
        let here = usize::from(chunk.iter().map(|byte| u8::from(*byte == 0)).sum::<u8>());
        // Nobody can foretell which chunks have a NUL, so nothing branches on it.
        without = if here == 0 { without.saturating_add(1) } else { 0 };
        if without >= too_long {
            return None;
        }
        if here < missing {
            missing = missing.saturating_sub(here);
            continue;
        }
        let last = Block::new(*chunk).nul(missing.checked_sub(1)?);
        return Some(index.saturating_mul(CHUNK).saturating_add(last).saturating_add(1));
    }
    None
}

impl<const SIZE: usize> FieldValue for Texts<SIZE> {
    fn value(&self) -> Value {
        Value::List(self.iter().map(|text| Value::Text(text.to_vec())).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.clear();
        let list = match value {
            Value::List(list) => list.as_slice(),
            Value::Absent => &[],
            _ => return Err(WrongValue::TYPE),
        };
        for value in list {
            let fits = "a text without NUL that fits in its field";
            let text = value.as_text().ok_or(WrongValue::TYPE)?;
            self.push(text).map_err(|_| WrongValue { expected: fits })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{find_end_fast, find_ends_checked};

    #[test]
    fn a_quick_look_sees_what_a_careful_one_does() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut quick, mut rounds) = (0, 0);
        for size in [1, 15, 16, 30, 31, 32, 48, 64, 200] {
            for longest in [1, 2, 8, 20, 60, 250] {
                for _ in 0..200 {
                    let texts = usize::try_from(random(30)).unwrap();
                    let mut bytes = Vec::new();
                    for _ in 0..texts {
                        let length = usize::try_from(random(longest)).unwrap();
                        bytes.resize(bytes.len() + length, u8::try_from(1 + random(255)).unwrap());
                        bytes.push(0);
                    }
                    for count in [0, 1, texts / 2, texts, texts + 1] {
                        let careful = find_ends_checked(&bytes, count, size);
                        if let Some(end) = find_end_fast(&bytes, count, size) {
                            assert_eq!((count, end), careful, "{bytes:?}, at most {size}");
                            quick += 1;
                        }
                        rounds += 1;
                    }
                }
            }
        }
        assert!(quick > 5_000 && rounds > 2 * quick, "{quick} of {rounds} were quick");
    }
}
