//! Snapshot objects: typed views of the integers of an item.

use gamewire_wire::{CodecError, Found, Span, Trace, Value};

use crate::shared::field::{IntFields, IntSink, IntSource};

/// A set of objects told apart by their type.
pub trait ObjectSet: Sized {
    /// What tells them apart: the item's type number, or a UUID.
    type Id;

    /// Reads object `id`; `None` when the set has none.
    fn decode<T: Trace>(
        id: Self::Id,
        from: &mut ItemInts<'_>,
        trace: &mut T,
    ) -> Option<Result<Self, CodecError>>;

    /// How many integers object `id` has.
    fn size_of(id: Self::Id) -> Option<usize>;

    /// The name of object `id`.
    fn name_of(id: Self::Id) -> Option<&'static str>;

    /// The id of this object.
    fn id(&self) -> Self::Id;

    /// Gives its integers to `to`.
    ///
    /// # Errors
    /// Those of `to`.
    fn encode<K: IntSink>(&self, to: &mut K) -> Result<(), CodecError>;
}

/// The integers of one item, and where each stands on the wire.
#[derive(Clone, Debug)]
pub struct ItemInts<'a> {
    ints: &'a [i32],
    spans: &'a [Span],
    at: usize,
    /// Whether integers that are missing at the end read as 0: DDNet's objects grow.
    pad: bool,
}

impl<'a> ItemInts<'a> {
    /// The integers of an item that must be complete. `spans` may be shorter, or empty.
    #[must_use]
    pub const fn new(ints: &'a [i32], spans: &'a [Span]) -> Self {
        Self { ints, spans, at: 0, pad: false }
    }

    /// The integers of an item whose missing ones are 0.
    #[must_use]
    pub const fn padded(ints: &'a [i32], spans: &'a [Span]) -> Self {
        Self { ints, spans, at: 0, pad: true }
    }
}

impl IntSource for ItemInts<'_> {
    #[inline]
    fn next_int<T: Trace>(&mut self, _: &mut T) -> Result<(i32, Span), CodecError> {
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
        self.at >= self.ints.len()
    }
}

/// Fills a slice with integers.
#[derive(Debug)]
pub struct SliceSink<'a> {
    ints: &'a mut [i32],
    at: usize,
}

impl<'a> SliceSink<'a> {
    /// Fills `ints` from the front.
    #[must_use]
    pub const fn new(ints: &'a mut [i32]) -> Self {
        Self { ints, at: 0 }
    }

    /// How many were put.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.at
    }

    /// Whether none was put.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.at == 0
    }
}

impl IntSink for SliceSink<'_> {
    #[inline]
    fn put_int(&mut self, value: i32) -> Result<(), CodecError> {
        match self.ints.get_mut(self.at) {
            Some(place) => {
                *place = value;
                self.at = self.at.saturating_add(1);
                Ok(())
            }
            None => Err(CodecError::new(self.at, "room for an integer", Found::End)),
        }
    }
}

/// A string in `N` integers, four bytes in each: every byte plus 128, the first one highest, the
/// very last one 0 (docs/protocols/teeworlds.md, "Snapshots").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntText<const N: usize>(pub [i32; N]);

impl<const N: usize> Default for IntText<N> {
    fn default() -> Self {
        Self::new("")
    }
}

impl<const N: usize> IntText<N> {
    /// Packs `text`, cut to the `4 * N - 1` bytes that fit.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::from_bytes(text.as_bytes())
    }

    /// Packs bytes, cut to the `4 * N - 1` that fit, and not inside of a character.
    #[must_use]
    pub fn from_bytes(text: &[u8]) -> Self {
        let mut room = N.saturating_mul(4).saturating_sub(1);
        while text.get(room).is_some_and(|byte| byte & 0xc0 == 0x80) && room > 0 {
            room = room.saturating_sub(1);
        }
        let mut bytes = text.iter().copied().take(room);
        let mut ints = [0; N];
        for int in &mut ints {
            *int = i32::from_be_bytes([0; 4].map(|_: u8| bytes.next().unwrap_or(0) ^ 0x80));
        }
        if let Some(last) = ints.last_mut() {
            *last &= !0xff;
        }
        Self(ints)
    }

    /// The bytes before the first zero, as an iterator.
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

/// Room for the longest string of any object: the six integers of a skin name.
const LONGEST: usize = 24;

impl<const N: usize> IntFields for IntText<N> {
    type Rule = ();
    const RULE: () = ();
    const COUNT: usize = N;

    fn read_ints<S: IntSource, T: Trace>(
        from: &mut S,
        (): &(),
        name: &'static str,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let mut ints = [0; N];
        let mut span = from.here();
        for int in &mut ints {
            let (value, at) = from.next_int(trace).map_err(|error| error.in_field(name))?;
            *int = value;
            span = span.join(at);
        }
        let text = Self(ints);
        if trace.wants_details() {
            let mut bytes = [0; LONGEST];
            let mut length = 0_usize;
            for (place, byte) in bytes.iter_mut().zip(text.bytes()) {
                *place = byte;
                length = length.saturating_add(1);
            }
            trace.field(name, span, Value::Text(bytes.get(..length).unwrap_or_default()));
        }
        Ok(text)
    }

    fn write_ints<K: IntSink>(&self, to: &mut K) -> Result<(), CodecError> {
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
    fn a_name_that_is_too_long_is_cut() {
        let text = IntText::<1>::new("abcdef");
        assert_eq!(text.bytes().collect::<Vec<_>>(), b"abc");
        assert_eq!(text.0[0] & 0xff, 0);
        assert_eq!(IntText::<1>::new("ab\u{e9}").bytes().collect::<Vec<_>>(), b"ab", "no half a character");
    }

    #[test]
    fn missing_integers_are_an_error_unless_the_object_may_grow() {
        let ints = [1];
        assert!(<[i32; 2]>::read_ints(&mut ItemInts::new(&ints, &[]), &(0..=5), "x", &mut ()).is_err());
        let padded = <[i32; 2]>::read_ints(&mut ItemInts::padded(&ints, &[]), &(0..=5), "x", &mut ());
        assert_eq!(padded, Ok([1, 0]));
    }
}
