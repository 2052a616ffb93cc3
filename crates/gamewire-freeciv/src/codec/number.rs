//! Integers and truth values.

use arrayvec::ArrayVec;
use gamewire_wire::Found;

use super::array_vec::set_to_start;
use super::block::Block;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire, read_one_by_one};
use crate::delta::Value;

macro_rules! integer {
    ($type:ty, $bytes:literal, $expected:literal, $range:literal) => {
        impl Wire for $type {
            const ZERO: Self = 0;
            const MIN_BYTES: usize = $bytes;

            #[inline(always)]
            fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
                *self = <$type>::from_be_bytes(from.array($expected)?);
                Ok(())
            }

            #[inline(always)]
            fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
                to.bytes(self.to_be_bytes());
                Ok(())
            }

            #[inline]
            fn read_list<S: Source>(
                list: &mut Vec<Self>,
                count: usize,
                from: &mut S,
                _: &[ElementCount],
            ) -> Result<(), S::Error> {
                let (bytes, _) = from.take(count.saturating_mul($bytes), $expected)?.as_chunks::<$bytes>();
                let numbers = bytes.iter().map(|bytes| <$type>::from_be_bytes(*bytes));
                if list.capacity() < bytes.len() {
                    *list = numbers.collect();
                } else {
                    list.clear();
                    list.extend(numbers);
                }
                Ok(())
            }

            #[inline]
            fn read_small<S: Source, const N: usize>(
                list: &mut ArrayVec<Self, N>,
                count: usize,
                from: &mut S,
                _: &[ElementCount],
            ) -> Result<(), S::Error> {
                if $bytes == 1 && count <= Block::SIZE && N >= Block::SIZE {
                    let bytes = from.block().bytes();
                    from.take(count, $expected)?;
                    set_to_start(list, &bytes.map(|byte| <$type>::from_ne_bytes([byte; $bytes])), count);
                    return Ok(());
                }
                let (bytes, _) = from.take(count.saturating_mul($bytes), $expected)?.as_chunks::<$bytes>();
                list.clear();
                list.extend(bytes.iter().take(N).map(|bytes| <$type>::from_be_bytes(*bytes)));
                Ok(())
            }

            #[inline]
            fn read_slice<S: Source>(
                slice: &mut [Self],
                from: &mut S,
                _: &[ElementCount],
            ) -> Result<(), S::Error> {
                let count = slice.len().saturating_mul($bytes);
                let (bytes, _) = from.take(count, $expected)?.as_chunks::<$bytes>();
                for (to, bytes) in slice.iter_mut().zip(bytes) {
                    *to = <$type>::from_be_bytes(*bytes);
                }
                Ok(())
            }

            #[inline]
            fn write_slice<S: Sink>(slice: &[Self], to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
                let (chunks, rest) = slice.as_chunks::<8>();
                for chunk in chunks {
                    to.slice(chunk.map(Self::to_be_bytes).as_flattened());
                }
                for number in rest {
                    to.bytes(number.to_be_bytes());
                }
                Ok(())
            }
        }

        impl FieldValue for $type {
            fn value(&self) -> Value {
                Value::Int((*self).into())
            }

            fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
                match value {
                    Value::Int(value) => {
                        *self = <$type>::try_from(*value).map_err(|_| WrongValue { expected: $range })?;
                    }
                    Value::Absent => *self = 0,
                    _ => return Err(WrongValue::TYPE),
                }
                Ok(())
            }
        }
    };
}

integer!(u8, 1, "a uint8", "a number that a uint8 can say");
integer!(u16, 2, "a uint16", "a number that a uint16 can say");
integer!(u32, 4, "a uint32", "a number that a uint32 can say");
integer!(i8, 1, "a sint8", "a number that a sint8 can say");
integer!(i16, 2, "a sint16", "a number that a sint16 can say");
integer!(i32, 4, "a sint32", "a number that a sint32 can say");

/// A truth value of one byte, where it is no bit.
impl Wire for bool {
    const ZERO: Self = false;
    const MIN_BYTES: usize = 1;

    #[inline(always)]
    fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        let [byte] = from.array("a bool8")?;
        if byte > 1 {
            return Err(from.error(1, "0 or 1", Found::Value(byte.into())));
        }
        *self = byte == 1;
        Ok(())
    }

    #[inline(always)]
    fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        to.bytes([u8::from(*self)]);
        Ok(())
    }

    #[inline]
    fn read_small<S: Source, const N: usize>(
        list: &mut ArrayVec<Self, N>,
        count: usize,
        from: &mut S,
        counts: &[ElementCount],
    ) -> Result<(), S::Error> {
        let block = from.block();
        if N < Block::SIZE || count > from.remaining().len() || !block.is_bools(count) {
            list.resize_to(count);
            return Self::read_slice(list, from, counts);
        }
        set_to_start(list, &block.bools(), count);
        from.take(count, "a bool8")?;
        Ok(())
    }

    #[inline]
    fn read_slice<S: Source>(slice: &mut [Self], from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        let bytes = from.remaining().get(..slice.len()).unwrap_or_default();
        if bytes.len() < slice.len() || bytes.iter().fold(0, |all, byte| all | byte) > 1 {
            return read_one_by_one(slice, from, &[]);
        }
        for (to, byte) in slice.iter_mut().zip(bytes) {
            *to = *byte == 1;
        }
        from.take(slice.len(), "a bool8")?;
        Ok(())
    }
}

impl FieldValue for bool {
    fn value(&self) -> Value {
        Value::Bool(*self)
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        match value {
            Value::Bool(value) => *self = *value,
            Value::Absent => *self = false,
            _ => return Err(WrongValue::TYPE),
        }
        Ok(())
    }
}

/// A truth value of four bytes, where it is no bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bool32(pub bool);

impl Wire for Bool32 {
    const ZERO: Self = Self(false);
    const MIN_BYTES: usize = 4;

    #[inline(always)]
    fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        let value = u32::from_be_bytes(from.array("a bool32")?);
        if value > 1 {
            return Err(from.error(4, "0 or 1", Found::Value(value.into())));
        }
        self.0 = value == 1;
        Ok(())
    }

    #[inline(always)]
    fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
        to.bytes(u32::from(self.0).to_be_bytes());
        Ok(())
    }
}

impl FieldValue for Bool32 {
    fn value(&self) -> Value {
        self.0.value()
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.set_value(value)
    }
}

impl From<Bool32> for i64 {
    fn from(value: Bool32) -> Self {
        value.0.into()
    }
}
