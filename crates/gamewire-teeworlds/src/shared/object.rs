//! Snapshot objects: typed views of the integers of an item.

use core::mem::take;

use gamewire_wire::{CodecError, Found, Result, Shape, Span, Trace, Value};

use crate::shared::field::{IntFields, IntSink, IntSource};
use crate::shared::pack::cut;

/// A set of objects with different types.
pub trait ObjectSet: Sized {
    /// Type of an object: the item's type number, or a UUID.
    type Id;

    /// Reads object `id`, or returns `None` if the set has no such object.
    fn decode<T: Trace>(id: Self::Id, from: &mut ItemInts<'_>, trace: &mut T) -> Option<Result<Self>>;

    /// Returns the number of integers of object `id`.
    fn size_of(id: Self::Id) -> Option<usize>;

    /// Returns the name of object `id`.
    fn name_of(id: Self::Id) -> Option<&'static str>;

    /// Returns the id of this object.
    fn id(&self) -> Self::Id;

    /// Writes the integers of the object to `to`.
    ///
    /// # Errors
    /// [`CodecError`] if `to` is full.
    fn encode<K: IntSink>(&self, to: &mut K) -> Result<()>;
}

/// The integers of one item with their spans.
#[derive(Clone, Debug)]
pub struct ItemInts<'a> {
    ints: &'a [i32],
    spans: &'a [Span],
    at: usize,
    /// True if missing integers at the end have the defaults of their fields, because newer DDNet releases append
    /// fields to objects.
    pad: bool,
}

impl<'a> ItemInts<'a> {
    /// Creates a source of the integers of a complete item. `spans` may be shorter, or empty.
    pub const fn new(ints: &'a [i32], spans: &'a [Span]) -> Self {
        Self { ints, spans, at: 0, pad: false }
    }

    /// Creates a source of the integers of an item. Missing integers have the defaults of their fields, which are 0 for
    /// most fields.
    pub const fn padded(ints: &'a [i32], spans: &'a [Span]) -> Self {
        Self { ints, spans, at: 0, pad: true }
    }
}

impl IntSource for ItemInts<'_> {
    #[inline]
    fn next_int<T: Trace>(&mut self, _: &mut T) -> Result<(i32, Span)> {
        let value = match self.ints.get(self.at) {
            Some(&value) => value,
            None if self.pad => 0,
            None => return Err(CodecError::new(self.at, "an integer of the object", Found::End)),
        };
        let span = self.here();
        self.at = self.at.saturating_add(1);
        Ok((value, span))
    }

    #[inline]
    fn here(&self) -> Span {
        self.spans.get(self.at).or_else(|| self.spans.last()).copied().unwrap_or_default()
    }

    #[inline]
    fn is_padding(&self) -> bool {
        self.pad && self.at >= self.ints.len()
    }
}

/// Writes to the start of the slice. The slice is then shortened to its free part.
impl IntSink for &mut [i32] {
    #[inline]
    fn put_int(&mut self, value: i32) -> Result<()> {
        let full = || CodecError::new(0, "space for an integer", Found::End);
        let (place, rest) = take(self).split_first_mut().ok_or_else(full)?;
        *place = value;
        *self = rest;
        Ok(())
    }
}

/// A string in `N` integers of four bytes each: every byte plus 128, the first byte highest, the
/// last byte 0 (docs/protocols/teeworlds.md, "Snapshots").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntText<const N: usize>(pub [i32; N]);

impl<const N: usize> Default for IntText<N> {
    fn default() -> Self {
        Self::new("")
    }
}

impl<const N: usize> IntText<N> {
    /// Packs `text`, truncated to the `4 * N - 1` bytes that fit.
    pub fn new(text: &str) -> Self {
        Self::from_bytes(text.as_bytes())
    }

    /// Packs bytes, truncated at a character boundary to the `4 * N - 1` bytes that fit.
    pub fn from_bytes(text: &[u8]) -> Self {
        let mut bytes = cut(text, N.saturating_mul(4).saturating_sub(1)).iter().copied();
        let mut ints = [0; N];
        for int in &mut ints {
            *int = i32::from_be_bytes([0; 4].map(|_: u8| bytes.next().unwrap_or(0) ^ 0x80));
        }
        if let Some(last) = ints.last_mut() {
            *last &= !0xff;
        }
        Self(ints)
    }

    /// Returns the bytes before the first zero.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        let room = N.saturating_mul(4).saturating_sub(1);
        self.0
            .iter()
            .flat_map(|int| int.to_be_bytes())
            .map(|byte| byte ^ 0x80)
            .take(room)
            .take_while(|&byte| byte != 0)
    }
}

/// Bytes of the longest string of any object: the six integers of a skin name.
const MAX_TEXT_BYTES: usize = 24;

impl<const N: usize> IntFields for IntText<N> {
    type Rule = ();
    const RULE: () = ();
    const COUNT: usize = N;

    fn shape((): &()) -> Shape {
        Shape::IntText(N)
    }

    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self> {
        let mut ints = [0; N];
        let mut span = from.here();
        for int in &mut ints {
            let (value, at) = from.next_int(trace).map_err(|error| error.in_field(name))?;
            *int = value;
            span = span.join(at);
        }
        let text = Self(ints);
        if trace.wants_details() {
            let mut bytes = [0; MAX_TEXT_BYTES];
            let mut length = 0_usize;
            for (place, byte) in bytes.iter_mut().zip(text.bytes()) {
                *place = byte;
                length = length.saturating_add(1);
            }
            trace.field(name, span, Value::Text(bytes.get(..length).unwrap_or_default()));
        }
        Ok(text)
    }

    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<()> {
        self.0.iter().try_for_each(|&int| to.put_int(int))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_packed_as_in_client_info() {
        let text = IntText::<4>::new("nameless tee");
        assert_eq!(text.bytes().collect::<Vec<_>>(), b"nameless tee");
        assert_eq!(text.0.map(i32::to_be_bytes)[0], [0xee, 0xe1, 0xed, 0xe5]);
        assert_eq!(text.0[3].to_be_bytes(), [0x80, 0x80, 0x80, 0]);
    }

    #[test]
    fn a_name_that_is_too_long_is_truncated() {
        let text = IntText::<1>::new("abcdef");
        assert_eq!(text.bytes().collect::<Vec<_>>(), b"abc");
        assert_eq!(text.0[0] & 0xff, 0);
        assert_eq!(IntText::<1>::new("ab\u{e9}").bytes().collect::<Vec<_>>(), b"ab", "no half a character");
    }

    #[test]
    fn missing_integers_are_an_error_unless_padded() {
        let ints = [1];
        assert!(<[i32; 2]>::read_ints(&mut ItemInts::new(&ints, &[]), &(0..=5), "x", &mut ()).is_err());
        let padded = <[i32; 2]>::read_ints(&mut ItemInts::padded(&ints, &[]), &(0..=5), "x", &mut ());
        assert_eq!(padded, Ok([1, 0]));
    }
}
