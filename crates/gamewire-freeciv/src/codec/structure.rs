//! Structures of a fixed length.

use gamewire_schema::ir::{PartType, WireType};
use gamewire_wire::Result;

use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::number::Bool32;
use super::sink::Sink;
use super::source::{Source, value};
use super::wire::{Wire, deref_to_vec, lists_differ};
use crate::delta::{Value, freeciv_structures};

/// Defines the struct of a structure, with the name of its type in the definition. Its parts are integers, booleans,
/// arrays of them, and other structures.
#[macro_export]
#[doc(hidden)]
macro_rules! __freeciv_structure {
    ($(
        $(#[$doc:meta])*
        $name:ident = $type_name:literal {
            $($(#[$part_doc:meta])* $part:ident: $type:ty = $part_name:literal,)+
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$part_doc])* pub $part: $type,)+
        }

        impl ::core::default::Default for $name {
            fn default() -> Self {
                $crate::codec::Wire::ZERO
            }
        }

        impl $crate::codec::Wire for $name {
            const ZERO: Self = Self { $($part: <$type as $crate::codec::Wire>::ZERO),+ };
            const MIN_BYTES: usize = <Self as $crate::codec::Part>::BYTES;
            const STRUCTURE: ::core::option::Option<&'static $crate::codec::Structure> =
                ::core::option::Option::Some(&$crate::codec::Structure {
                    name: ::std::borrow::Cow::Borrowed($type_name),
                    parts: ::std::borrow::Cow::Borrowed(&[$($crate::codec::PartDefinition {
                        name: ::std::borrow::Cow::Borrowed($part_name),
                        part_type: <$type as $crate::codec::Part>::TYPE,
                        count: <$type as $crate::codec::Part>::COUNT,
                    }),+]),
                });

            fn read(
                &mut self,
                from: &mut $crate::codec::Source<'_>,
                _: &[$crate::codec::ElementCount],
            ) -> ::core::result::Result<(), $crate::codec::CodecError> {
                $($crate::codec::Wire::read(&mut self.$part, from, &[])?;)+
                ::core::result::Result::Ok(())
            }

            fn write(
                &self,
                to: &mut $crate::codec::Sink<'_>,
                _: &[$crate::codec::ElementCount],
            ) -> ::core::result::Result<(), $crate::codec::CodecError> {
                $($crate::codec::Wire::write(&self.$part, to, &[])?;)+
                ::core::result::Result::Ok(())
            }
        }

        impl $crate::codec::Part for $name {
            const TYPE: $crate::codec::PartType = match <Self as $crate::codec::Wire>::STRUCTURE {
                ::core::option::Option::Some(structure) => {
                    $crate::codec::PartType::Structure(::std::borrow::Cow::Borrowed(structure))
                }
                ::core::option::Option::None => ::core::unreachable!(),
            };
            const BYTES: usize = $crate::codec::sum_of(&[$(<$type as $crate::codec::Part>::BYTES),+]);

            fn part(&self, to: &mut ::std::vec::Vec<i64>) {
                $($crate::codec::Part::part(&self.$part, to);)+
            }

            fn set_part<'p>(
                &mut self,
                from: &'p [i64],
            ) -> ::core::result::Result<&'p [i64], $crate::codec::WrongValue> {
                $(let from = $crate::codec::Part::set_part(&mut self.$part, from)?;)+
                ::core::result::Result::Ok(from)
            }
        }

        impl $crate::codec::FieldValue for $name {
            fn value(&self) -> $crate::delta::Value {
                $crate::codec::structure_value(self)
            }

            fn set_value(
                &mut self,
                value: &$crate::delta::Value,
            ) -> ::core::result::Result<(), $crate::codec::WrongValue> {
                $crate::codec::set_structure(self, value)
            }
        }
    )+};
}

/// Returns the sum of the numbers.
pub const fn sum_of(numbers: &[usize]) -> usize {
    match numbers {
        [] => 0,
        [first, rest @ ..] => first.saturating_add(sum_of(rest)),
    }
}

/// Returns the numbers of a structure.
pub fn structure_value(structure: &impl Part) -> Value {
    let mut parts = Vec::new();
    structure.part(&mut parts);
    Value::Parts(parts)
}

/// Sets a structure from its numbers.
///
/// # Errors
/// [`WrongValue`] if the value is not the numbers of the structure. It may be partly changed.
pub fn set_structure<T: Part + Wire>(structure: &mut T, value: &Value) -> Result<(), WrongValue> {
    match value {
        Value::Parts(parts) if structure.set_part(parts)?.is_empty() => {}
        Value::Absent => *structure = T::ZERO,
        _ => return Err(WrongValue::TYPE),
    }
    Ok(())
}

freeciv_structures!(__freeciv_structure);

/// A part of a structure, represented as numbers.
pub trait Part {
    /// The type in the definition.
    const TYPE: PartType;
    /// Number of elements of an array.
    const COUNT: Option<u32> = None;
    /// Number of bytes on the wire.
    const BYTES: usize;

    /// Appends its numbers to `to`.
    fn part(&self, to: &mut Vec<i64>);

    /// Sets its value from the first numbers, and returns the others.
    fn set_part<'p>(&mut self, from: &'p [i64]) -> Result<&'p [i64], WrongValue>;
}

macro_rules! part {
    ($($type:ty = $wire:ident, $part:ident => $value:expr;)+) => {
        $(impl Part for $type {
            const TYPE: PartType = PartType::Number(WireType::$wire);
            const BYTES: usize = <$type as Wire>::MIN_BYTES;

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
    u8 = Uint8, part => Value::Int(*part);
    u16 = Uint16, part => Value::Int(*part);
    u32 = Uint32, part => Value::Int(*part);
    i8 = Sint8, part => Value::Int(*part);
    i16 = Sint16, part => Value::Int(*part);
    i32 = Sint32, part => Value::Int(*part);
    bool = Bool8, part => flag(*part)?;
    Bool32 = Bool32, part => flag(*part)?;
}

fn flag(number: i64) -> Result<Value, WrongValue> {
    match number {
        0 => Ok(Value::Bool(false)),
        1 => Ok(Value::Bool(true)),
        _ => Err(WrongValue { expected: "0 or 1" }),
    }
}

#[allow(clippy::cast_possible_truncation, reason = "an array has at most 1024 numbers")]
impl<T: Part, const N: usize> Part for [T; N] {
    const TYPE: PartType = T::TYPE;
    const COUNT: Option<u32> = Some(N as u32);
    const BYTES: usize = T::BYTES.saturating_mul(N);

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
