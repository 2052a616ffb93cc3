use core::fmt;
use core::ops::Deref;
use std::borrow::Cow;

use gamewire_wire::Found;
use thiserror::Error;

use super::block::Block;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire, lists_differ};
use crate::delta::Value;

/// A text of fewer than `SIZE` bytes without NUL, kept in place; `SIZE` is at most 256.
#[derive(Clone, Copy)]
pub struct Text<const SIZE: usize> {
    length: u8,
    /// The text and its NUL; what is behind that says nothing.
    bytes: [u8; SIZE],
}

/// A text of fewer than `SIZE` bytes without NUL, on the heap.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct LongText<const SIZE: usize>(Vec<u8>);

/// A text that a field cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the text has {length} bytes, or a NUL, and its field takes {most} without NUL")]
pub struct TextError {
    /// Its length.
    pub length: usize,
    /// The most bytes that the field takes.
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
    /// Sets it to one that fits.
    fn set(&mut self, text: &[u8]) {
        let place = self.bytes.split_at_mut_checked(text.len());
        if let (Some((to, [nul, ..])), Ok(length)) = (place, u8::try_from(text.len())) {
            to.copy_from_slice(text);
            *nul = 0;
            self.length = length;
        }
    }

    /// Sets it to the text at the start of what is left, and says its length; `None` if it has no end or is too
    /// long. What comes behind it does no harm.
    #[inline(always)]
    fn read_from<S: Source>(&mut self, from: &S) -> Option<usize> {
        let (rest, block) = (from.remaining(), from.block());
        let length = block.first_nul();
        let Some(to) = self.bytes.first_chunk_mut().filter(|_| length < rest.len().min(Block::SIZE)) else {
            return self.take_over_long(rest);
        };
        *to = block.bytes();
        self.length = u8::try_from(length).ok()?;
        Some(length)
    }

    /// The same, however long it is.
    #[inline(never)]
    fn take_over_long(&mut self, rest: &[u8]) -> Option<usize> {
        let rest = rest.get(..SIZE).unwrap_or(rest);
        let (blocks, tail) = rest.as_chunks();
        let mut length = 0_usize;
        for (block, to) in blocks.iter().zip(self.bytes.as_chunks_mut().0) {
            *to = *block;
            let here = Block::new(*block).first_nul();
            length = length.saturating_add(here);
            if here < Block::SIZE {
                self.length = u8::try_from(length).ok()?;
                return Some(length);
            }
        }
        let block = Block::at_start(tail, rest);
        let here = block.first_nul();
        let to = self.bytes.get_mut(length..).filter(|_| here < tail.len())?;
        match to.first_chunk_mut() {
            Some(to) => *to = block.bytes(),
            None => to.get_mut(..tail.len())?.copy_from_slice(tail),
        }
        length = length.saturating_add(here);
        self.length = u8::try_from(length).ok()?;
        Some(length)
    }
}

impl<const SIZE: usize> LongText<SIZE> {
    fn set(&mut self, text: &[u8]) {
        replace(&mut self.0, text);
    }
}

impl<const SIZE: usize> Deref for Text<SIZE> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }
}

impl<const SIZE: usize> Deref for LongText<SIZE> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<const SIZE: usize> PartialEq for Text<SIZE> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && is_same(self, other)
    }
}

impl<const SIZE: usize> Eq for Text<SIZE> {}

impl<const SIZE: usize> core::hash::Hash for Text<SIZE> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<const SIZE: usize> Default for Text<SIZE> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const SIZE: usize> Wire for Text<SIZE> {
    const ZERO: Self = Self { length: 0, bytes: [0; SIZE] };
    const MIN_BYTES: usize = 1;

    #[inline]
    fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        let Some(length) = self.read_from(from) else { return Err(missing_nul(from, SIZE)) };
        from.take(length.saturating_add(1), "a text")?;
        Ok(())
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        to.start_of(&self.bytes, usize::from(self.length).saturating_add(1));
        Ok(())
    }
}

impl<const SIZE: usize> Wire for LongText<SIZE> {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 1;

    fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        let rest = from.remaining();
        let length = memchr::memchr(0, rest.get(..SIZE).unwrap_or(rest));
        let Some(length) = length else { return Err(missing_nul(from, SIZE)) };
        let text = from.take(length.saturating_add(1), "a text")?;
        self.set(text.get(..length).unwrap_or_default());
        Ok(())
    }

    fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        to.slice(&self.0);
        to.bytes([0]);
        Ok(())
    }

    #[inline]
    fn differs(&self, old: &Self) -> bool {
        lists_differ(self, old)
    }

    #[inline]
    fn reset(&mut self) {
        self.0.clear();
    }

    fn heap_bytes(&self) -> usize {
        self.0.capacity()
    }
}

/// Whether two short texts of the same length are the same.
#[inline(always)]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let ((words, tail), (others, end)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    let mut words = words.iter().zip(others);
    let mut tail = tail.iter().zip(end);
    words.all(|(word, other)| u64::from_ne_bytes(*word) == u64::from_ne_bytes(*other))
        && tail.all(|(byte, other)| byte == other)
}

/// Puts bytes in the place of others; memory for them is taken once.
#[inline]
pub(super) fn replace(old: &mut Vec<u8>, new: &[u8]) {
    if old.capacity() < new.len() {
        *old = new.to_vec();
    } else {
        old.clear();
        old.extend_from_slice(new);
    }
}

/// There is no NUL where it must be.
#[cold]
pub(super) fn missing_nul<S: Source>(from: &S, size: usize) -> S::Error {
    let seen = from.remaining().len().min(size);
    from.error(0, "a NUL at the end of a text, within its field", Found::Bytes(seen))
}

macro_rules! text {
    ($name:ident) => {
        impl<const SIZE: usize> $name<SIZE> {
            /// The text, with a replacement for what is not UTF-8.
            #[must_use]
            pub fn to_str_lossy(&self) -> Cow<'_, str> {
                String::from_utf8_lossy(self)
            }
        }

        impl<const SIZE: usize> TryFrom<&[u8]> for $name<SIZE> {
            type Error = TextError;

            fn try_from(text: &[u8]) -> Result<Self, TextError> {
                TextError::check(text, SIZE)?;
                let mut new = Self::ZERO;
                new.set(text);
                Ok(new)
            }
        }

        impl<const SIZE: usize> TryFrom<&str> for $name<SIZE> {
            type Error = TextError;

            fn try_from(text: &str) -> Result<Self, TextError> {
                text.as_bytes().try_into()
            }
        }

        impl<const SIZE: usize> PartialEq<str> for $name<SIZE> {
            fn eq(&self, other: &str) -> bool {
                **self == *other.as_bytes()
            }
        }

        impl<const SIZE: usize> PartialEq<&str> for $name<SIZE> {
            fn eq(&self, other: &&str) -> bool {
                *self == **other
            }
        }

        /// With a replacement for what is not UTF-8.
        impl<const SIZE: usize> fmt::Display for $name<SIZE> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_str_lossy(), f)
            }
        }

        /// Quoted and escaped.
        impl<const SIZE: usize> fmt::Debug for $name<SIZE> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "\"{}\"", self.escape_ascii())
            }
        }

        impl<const SIZE: usize> FieldValue for $name<SIZE> {
            fn value(&self) -> Value {
                Value::Text(self.to_vec())
            }

            fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
                match value {
                    Value::Text(text) => {
                        let fits = "a text without NUL that fits in its field";
                        TextError::check(text, SIZE).map_err(|_| WrongValue { expected: fits })?;
                        self.set(text);
                    }
                    Value::Absent => *self = Self::ZERO,
                    _ => return Err(WrongValue::TYPE),
                }
                Ok(())
            }
        }
    };
}

text!(Text);
text!(LongText);
