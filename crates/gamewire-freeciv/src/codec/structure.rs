//! Structures of a fixed length.

use gamewire_wire::Result;

use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::{Source, value};
use super::wire::{Wire, deref_to_vec, lists_differ};
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

            fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
                $(self.$part.read(from, &[])?;)+
                Ok(())
            }

            fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
                $(self.$part.write(to, &[])?;)+
                Ok(())
            }
        }

        impl Part for $name {
            fn part(&self, to: &mut Vec<i64>) {
                $(self.$part.part(to);)+
            }

            fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue> {
                $(let from = self.$part.set_part(from)?;)+
                Ok(from)
            }
        }

        impl FieldValue for $name {
            fn value(&self) -> Value {
                let mut parts = Vec::new();
                self.part(&mut parts);
                Value::Parts(parts)
            }

            fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
                match value {
                    Value::Parts(parts) if self.set_part(parts)?.is_empty() => {}
                    Value::Absent => *self = Self::ZERO,
                    _ => return Err(WrongValue::TYPE),
                }
                Ok(())
            }
        }
    };
}

structure! {
    /// A condition of a building, an effect and so on.
    Requirement, 9 {
        /// The kind of the thing that is required: a technology, a government, a terrain and so on.
        kind: u8,
        /// The number of the thing.
        value: i32,
        /// The distance or group within which the thing counts.
        range: u8,
        /// True if the thing still counts after it was destroyed.
        survives: bool,
        /// True if the thing must exist, false if it must not exist.
        present: bool,
        /// True if help texts omit the condition.
        quiet: bool,
    }
}

structure! {
    /// The probability that an action succeeds, in half percent; 253 to 255 have special meanings.
    ActionProbability, 2 {
        /// Minimum.
        min: u8,
        /// Maximum.
        max: u8,
    }
}

structure! {
    /// One item that a city builds.
    Work, 2 {
        /// Its kind: a building, a unit and so on.
        kind: u8,
        /// Its number.
        id: u8,
    }
}

structure! {
    /// One step of the orders of a unit.
    UnitOrder, 10 {
        /// The order: move, act, do an activity and so on.
        order: u8,
        /// The activity.
        activity: u8,
        /// The number of the target: a tile, a unit, a city and so on.
        target: i32,
        /// The part of the target.
        sub_target: i16,
        /// The action.
        action: u8,
        /// The direction; -1 for none.
        dir: i8,
    }
}

structure! {
    /// The goals of a city manager.
    CmParameter, 30 {
        /// The minimum surplus of each output.
        minimal_surplus: [i16; 6],
        /// True if the city should grow as fast as it can.
        max_growth: bool,
        /// True if the city must celebrate.
        require_happy: bool,
        /// True if the city may be in disorder.
        allow_disorder: bool,
        /// True if specialists are allowed.
        allow_specialists: bool,
        /// The weight of each output.
        factor: [u16; 6],
        /// The weight of celebration.
        happy_factor: u16,
    }
}

/// A part of a structure, represented as numbers.
pub trait Part {
    /// Appends its numbers to `to`.
    fn part(&self, to: &mut Vec<i64>);

    /// Sets its value from the first numbers, and returns the others.
    fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue>;
}

macro_rules! part {
    ($($type:ty, $part:ident => $value:expr;)+) => {
        $(impl Part for $type {
            fn part(&self, to: &mut Vec<i64>) {
                to.push(i64::from(*self));
            }

            fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue> {
                let ($part, rest) = from.split_first().ok_or(WrongValue::TYPE)?;
                self.set_value(&$value)?;
                Ok(rest)
            }
        })+
    };
}

part! {
    u8, part => Value::Int(*part);
    u16, part => Value::Int(*part);
    i8, part => Value::Int(*part);
    i16, part => Value::Int(*part);
    i32, part => Value::Int(*part);
    bool, part => Value::Bool(match part {
        0 => false,
        1 => true,
        _ => return Err(WrongValue { expected: "0 or 1" }),
    });
}

impl<T: Part, const N: usize> Part for [T; N] {
    fn part(&self, to: &mut Vec<i64>) {
        self.iter().for_each(|part| part.part(to));
    }

    fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue> {
        self.iter_mut().try_fold(from, |rest, part| part.set_part(rest))
    }
}

/// Structures or numbers after a one-byte count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShortList<T>(
    /// The elements; at most 255.
    pub Vec<T>,
);

deref_to_vec!([T] ShortList<T> => T);

/// The items that a city builds, in this order.
pub type Worklist = ShortList<Work>;

impl<T: Wire + Part> Wire for ShortList<T> {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 1;

    fn read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> Result<()> {
        let [count] = from.array("a count")?;
        self.0.clear();
        for _ in 0..count {
            let mut element = T::ZERO;
            element.read(from, &[])?;
            self.0.push(element);
        }
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<()> {
        let Ok(count) = u8::try_from(self.0.len()) else {
            return Err(to.error("at most 255 structures", value(self.0.len())));
        };
        to.bytes(&[count]);
        self.0.iter().try_for_each(|element| element.write(to, &[]))
    }

    fn differs(&self, old: &Self) -> bool {
        lists_differ(self, old)
    }

    fn heap_bytes(&self) -> usize {
        self.0.capacity().saturating_mul(size_of::<T>())
    }
}

impl<T: Wire + Part> FieldValue for ShortList<T> {
    fn value(&self) -> Value {
        let mut parts = Vec::new();
        self.0.iter().for_each(|element| element.part(&mut parts));
        Value::Parts(parts)
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.clear();
        let mut rest = match value {
            Value::Parts(parts) => parts.as_slice(),
            Value::Absent => &[],
            _ => return Err(WrongValue::TYPE),
        };
        while !rest.is_empty() {
            let mut element = T::ZERO;
            rest = element.set_part(rest)?;
            self.0.push(element);
        }
        Ok(())
    }
}
