use core::fmt;
use std::borrow::Cow;

use super::array::enough;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::text::{Text, TextError, endless, replace};
use super::wire::{Counted, Wire};
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
    const LEAST: usize = 0;

    fn read<S: Source>(&mut self, from: &mut S, counts: &[Counted]) -> Result<(), S::Error> {
        let (count, _) = Counted::split(counts);
        let count = count.get().map_err(|(expected, found)| from.error(0, expected, found))?;
        enough::<Text<1>, S>(count, from)?;
        let (seen, length) = ends(from.remaining(), count, SIZE);
        if seen < count {
            // What is wrong stands behind the texts that are right.
            from.enter();
            from.element(seen);
            from.take(length, "texts")?;
            return Err(endless(from, SIZE));
        }
        replace(&mut self.bytes, from.take(length, "texts")?);
        self.count = count;
        Ok(())
    }

    fn write<S: Sink>(&self, to: &mut S, counts: &[Counted]) -> Result<(), S::Error> {
        let (count, _) = Counted::split(counts);
        to.counted(count, self.count)?;
        to.slice(&self.bytes);
        Ok(())
    }

    fn fit(&mut self, count: usize) {
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

    fn heap(&self) -> usize {
        self.bytes.capacity()
    }
}

/// How many texts there are that fit, of those asked for, and where they end.
#[inline]
fn ends(rest: &[u8], count: usize, size: usize) -> (usize, usize) {
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
