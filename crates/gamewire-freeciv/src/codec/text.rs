use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use std::borrow::Cow;

use gamewire_wire::{CodecError, Found, Result};
use thiserror::Error;

use super::bytes::replace;
use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{Wire, lists_differ};
use crate::delta::Value;

/// A text of fewer than `SIZE` bytes, without a NUL.
pub struct Text<const SIZE: usize>(Bytes);

/// The bytes of a text. Most texts are names, and short texts need no heap allocation.
#[derive(Clone)]
enum Bytes {
    Short { length: u8, bytes: [u8; MAX_SHORT_BYTES] },
    Long(Vec<u8>),
}

/// Maximum bytes of a short text. With 30 bytes, a text takes 32 bytes.
const MAX_SHORT_BYTES: usize = 30;

/// The error for a text that does not fit in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid text of {length} bytes: expected at most {most} without NUL")]
pub struct TextError {
    /// Its length in bytes.
    pub length: usize,
    /// Maximum number of bytes that fit in the field.
    pub most: usize,
}

impl TextError {
    pub(super) fn check(text: &[u8], size: usize) -> Result<(), Self> {
        if text.len() < size && !text.contains(&0) {
            return Ok(());
        }
        Err(Self { length: text.len(), most: size.saturating_sub(1) })
    }
}

impl<const SIZE: usize> Text<SIZE> {
    /// Returns the text as a string. Bytes that are not UTF-8 are replaced.
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self)
    }
}

impl Bytes {
    const EMPTY: Self = Self::Short { length: 0, bytes: [0; MAX_SHORT_BYTES] };

    /// Replaces the bytes, and reuses the heap allocation if there is one.
    fn set(&mut self, text: &[u8]) {
        match (&mut *self, u8::try_from(text.len())) {
            (Self::Long(old), _) => replace(old, text),
            (Self::Short { length, bytes }, Ok(new)) if text.len() <= MAX_SHORT_BYTES => {
                *length = new;
                bytes.iter_mut().zip(text).for_each(|(to, byte)| *to = *byte);
            }
            _ => *self = Self::Long(text.to_vec()),
        }
    }

    fn get(&self) -> &[u8] {
        match self {
            Self::Short { length, bytes } => bytes.get(..usize::from(*length)).unwrap_or_default(),
            Self::Long(bytes) => bytes,
        }
    }

    fn set_value(&mut self, value: &Value, size: usize) -> Result<(), WrongValue> {
        match value {
            Value::Text(text) => {
                TextError::check(text, size).map_err(|_| WrongValue::TEXT)?;
                self.set(text);
            }
            Value::Absent => self.set(&[]),
            _ => return Err(WrongValue::TYPE),
        }
        Ok(())
    }
}

impl<const SIZE: usize> Clone for Text<SIZE> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.set(source);
    }
}

impl<const SIZE: usize> Deref for Text<SIZE> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.get()
    }
}

impl<const SIZE: usize> Default for Text<SIZE> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const SIZE: usize> PartialEq for Text<SIZE> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const SIZE: usize> Eq for Text<SIZE> {}

impl<const SIZE: usize> Hash for Text<SIZE> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<const SIZE: usize> TryFrom<&[u8]> for Text<SIZE> {
    type Error = TextError;

    fn try_from(text: &[u8]) -> Result<Self, TextError> {
        TextError::check(text, SIZE)?;
        let mut new = Self::ZERO;
        new.0.set(text);
        Ok(new)
    }
}

impl<const SIZE: usize> TryFrom<&str> for Text<SIZE> {
    type Error = TextError;

    fn try_from(text: &str) -> Result<Self, TextError> {
        text.as_bytes().try_into()
    }
}

impl<const SIZE: usize> PartialEq<str> for Text<SIZE> {
    fn eq(&self, other: &str) -> bool {
        **self == *other.as_bytes()
    }
}

impl<const SIZE: usize> PartialEq<&str> for Text<SIZE> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// Bytes that are not UTF-8 are replaced.
impl<const SIZE: usize> fmt::Display for Text<SIZE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_str_lossy(), f)
    }
}

/// Prints the text quoted and escaped.
impl<const SIZE: usize> fmt::Debug for Text<SIZE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}

impl<const SIZE: usize> Wire for Text<SIZE> {
    const ZERO: Self = Self(Bytes::EMPTY);
    const MIN_BYTES: usize = 1;
    #[allow(clippy::cast_possible_truncation, reason = "the size comes from a u32 of the definition")]
    const SIZE: u32 = SIZE as u32;

    fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
        let rest = from.remaining();
        let length = memchr::memchr(0, rest.get(..SIZE).unwrap_or(rest));
        let Some(length) = length else { return Err(missing_nul(from, SIZE)) };
        let text = from.take(length.saturating_add(1), "a text")?;
        self.0.set(text.get(..length).unwrap_or_default());
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
        to.bytes(self);
        to.bytes(&[0]);
        Ok(())
    }

    fn heap_bytes(&self) -> usize {
        match &self.0 {
            Bytes::Short { .. } => 0,
            Bytes::Long(bytes) => bytes.capacity(),
        }
    }
}

impl<const SIZE: usize> FieldValue for Text<SIZE> {
    fn value(&self) -> Value {
        Value::Text(self.to_vec())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.set_value(value, SIZE)
    }
}

/// Texts of fewer than `SIZE` bytes each, without a NUL. Another field holds their number.
///
/// They are stored as on the wire, each with its NUL, because a nation has dozens of them.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Texts<const SIZE: usize> {
    bytes: Vec<u8>,
    count: usize,
}

impl<const SIZE: usize> Texts<SIZE> {
    /// Returns the number of texts.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no texts.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the texts without their NULs.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let pieces = self.bytes.split_inclusive(|byte| *byte == 0);
        pieces.map(|text| text.split_last().map_or(text, |(_, text)| text))
    }

    /// Returns the texts as strings. Bytes that are not UTF-8 are replaced.
    pub fn iter_lossy(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.iter().map(String::from_utf8_lossy)
    }

    /// Adds a text.
    ///
    /// # Errors
    /// [`TextError`] if the text is too long or contains a NUL. Nothing is added.
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

impl<const SIZE: usize> Clone for Texts<SIZE> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), count: self.count }
    }

    fn clone_from(&mut self, source: &Self) {
        replace(&mut self.bytes, &source.bytes);
        self.count = source.count;
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
    const SIZE: u32 = Text::<SIZE>::SIZE;
    const IS_COUNTED: bool = true;

    fn read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()> {
        let count = from.count(counts)?;
        from.check_room(count, Text::<SIZE>::MIN_BYTES)?;
        let (valid, length) = find_ends(from.remaining(), count, SIZE);
        let texts = from.take(length, "texts")?;
        if valid < count {
            // The error is after the last valid text.
            from.element(Some(valid));
            return Err(missing_nul(from, SIZE));
        }
        replace(&mut self.bytes, texts);
        self.count = count;
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()> {
        to.check_length(counts, self.count)?;
        to.bytes(&self.bytes);
        Ok(())
    }

    fn differs(&self, old: &Self) -> bool {
        self.count != old.count || lists_differ(&self.bytes, &old.bytes)
    }

    fn resize_to(&mut self, count: usize) {
        if count < self.count {
            let texts = self.bytes.split_inclusive(|byte| *byte == 0);
            let length = texts.take(count).map(<[u8]>::len).sum();
            self.bytes.truncate(length);
        } else {
            let missing = count.saturating_sub(self.count);
            self.bytes.resize(self.bytes.len().saturating_add(missing), 0);
        }
        self.count = count;
    }

    fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
    }
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
            let text = value.as_text().ok_or(WrongValue::TYPE)?;
            self.push(text).map_err(|_| WrongValue::TEXT)?;
        }
        Ok(())
    }
}

/// Finds the ends of `count` texts. Returns the number of texts at the start that fit in `size`, and the end of the
/// last of them.
fn find_ends(rest: &[u8], count: usize, size: usize) -> (usize, usize) {
    let (mut valid, mut end) = (0_usize, 0_usize);
    for nul in memchr::memchr_iter(0, rest).take(count) {
        if nul.saturating_sub(end) >= size {
            break;
        }
        end = nul.saturating_add(1);
        valid = valid.saturating_add(1);
    }
    (valid, end)
}

/// Creates the error for a text without a NUL within its size.
#[cold]
fn missing_nul(from: &Source<'_>, size: usize) -> CodecError {
    let seen = from.remaining().len().min(size);
    from.error("a NUL at the end of a text, within its field", Found::Bytes(seen))
}
