//! Structures of a fixed length.

use super::body::Bits;
use super::fields::{FieldValue, WrongValue};
use super::quick_source::FastSource;
use super::sink::Sink;
use super::source::Source;
use super::wire::{ElementCount, Wire, read_one_by_one};
use crate::delta::Value;

macro_rules! structure {
    ($(#[$doc:meta])* $name:ident, $bytes:literal { $($(#[$part_doc:meta])* $part:ident: $type:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$part_doc])* pub $part: $type,)+
        }

        impl Wire for $name {
            const ZERO: Self = Self { $($part: <$type>::ZERO),+ };
            const MIN_BYTES: usize = $bytes;

            #[inline]
            fn read<S: Source>(&mut self, from: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
                $(self.$part.read(from, &[])?;)+
                Ok(())
            }

            #[inline]
            fn write<S: Sink>(&self, to: &mut S, _: &[ElementCount]) -> Result<(), S::Error> {
                $(self.$part.write(to, &[])?;)+
                Ok(())
            }

            #[inline]
            fn read_slice<S: Source>(
                slice: &mut [Self],
                from: &mut S,
                _: &[ElementCount],
            ) -> Result<(), S::Error> {
                let length = slice.len().saturating_mul($bytes);
                let (chunks, _) = from.remaining().get(..length).unwrap_or_default().as_chunks::<$bytes>();
                // Of a chunk as long as all its parts nothing has to ask what is left.
                let read = |(to, bytes): (&mut Self, &[u8; $bytes])| {
                    to.read(&mut FastSource::new(bytes, <[u8; 1]>::NONE), &[]).is_ok()
                };
                if chunks.len() == slice.len() && slice.iter_mut().zip(chunks).all(read) {
                    from.take(length, "structures")?;
                    return Ok(());
                }
                read_one_by_one(slice, from, &[])
            }
        }

        impl FieldValue for $name {
            fn value(&self) -> Value {
                let mut parts = Vec::new();
                $(self.$part.part(&mut parts);)+
                Value::Parts(parts)
            }

            fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
                let mut rest = match value {
                    Value::Parts(parts) => parts.as_slice(),
                    Value::Absent => {
                        *self = Self::ZERO;
                        return Ok(());
                    }
                    _ => return Err(WrongValue::TYPE),
                };
                $(rest = self.$part.set_part(rest)?;)+
                if rest.is_empty() { Ok(()) } else { Err(WrongValue::TYPE) }
            }
        }
    };
}

structure! {
    /// What must be so for something else to be.
    Requirement, 9 {
        /// What is looked at: a technology, a government, a terrain and so on.
        kind: u8,
        /// Which one.
        value: i32,
        /// How far around it may be.
        range: u8,
        /// Whether it counts when it has been destroyed.
        survives: bool,
        /// Whether it must be there, or must not.
        present: bool,
        /// Whether helps leave it out.
        quiet: bool,
    }
}

structure! {
    /// How likely an action is to succeed, in half percent; 253 to 255 have meanings of their own.
    ActionProbability, 2 {
        /// At least.
        min: u8,
        /// At most.
        max: u8,
    }
}

structure! {
    /// One thing that a city is to build.
    Work, 2 {
        /// What it is: a building, a unit and so on.
        kind: u8,
        /// Which one.
        id: u8,
    }
}

structure! {
    /// One step of what a unit is to do.
    UnitOrder, 10 {
        /// What to do: move, act, do an activity and so on.
        order: u8,
        /// Which activity.
        activity: u8,
        /// Where or to whom.
        target: i32,
        /// To what of it.
        sub_target: i16,
        /// Which action.
        action: u8,
        /// Which way; -1 for none.
        dir: i8,
    }
}

structure! {
    /// What a city manager aims at.
    CmParameter, 30 {
        /// Of each output at least so much more than is used up.
        minimal_surplus: [i16; 6],
        /// Whether the city shall grow as fast as it can.
        max_growth: bool,
        /// Whether the city must celebrate.
        require_happy: bool,
        /// Whether the city may be in disorder.
        allow_disorder: bool,
        /// Whether there may be specialists.
        allow_specialists: bool,
        /// What each output is worth.
        factor: [u16; 6],
        /// What celebration is worth.
        happy_factor: u16,
    }
}

/// A part of a structure as numbers.
pub trait Part {
    /// Adds its numbers to those of the parts before.
    fn part(&self, to: &mut Vec<i64>);

    /// Takes its numbers; gives those that are left.
    fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue>;
}

macro_rules! part {
    ($($type:ty, $range:literal;)+) => {
        $(impl Part for $type {
            fn part(&self, to: &mut Vec<i64>) {
                to.push(i64::from(*self));
            }

            fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue> {
                let (part, rest) = from.split_first().ok_or(WrongValue::TYPE)?;
                *self = <$type>::try_from(*part).map_err(|_| WrongValue { expected: $range })?;
                Ok(rest)
            }
        })+
    };
}

part! {
    u8, "a number that a uint8 can say";
    u16, "a number that a uint16 can say";
    i8, "a number that a sint8 can say";
    i16, "a number that a sint16 can say";
    i32, "a number that a sint32 can say";
}

impl Part for bool {
    fn part(&self, to: &mut Vec<i64>) {
        to.push(i64::from(*self));
    }

    fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue> {
        let (part, rest) = from.split_first().ok_or(WrongValue::TYPE)?;
        *self = match part {
            0 => false,
            1 => true,
            _ => return Err(WrongValue { expected: "0 or 1" }),
        };
        Ok(rest)
    }
}

impl Part for Work {
    fn part(&self, to: &mut Vec<i64>) {
        self.kind.part(to);
        self.id.part(to);
    }

    fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue> {
        let rest = self.kind.set_part(from)?;
        self.id.set_part(rest)
    }
}

impl<T: Part, const N: usize> Part for [T; N] {
    fn part(&self, to: &mut Vec<i64>) {
        self.iter().for_each(|part| part.part(to));
    }

    fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue> {
        self.iter_mut().try_fold(from, |rest, part| part.set_part(rest))
    }
}
