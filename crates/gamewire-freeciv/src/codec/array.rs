//! Arrays: of a fixed length, with a length in another field, or with a length prefix.

use gamewire_schema::ir::{ArrayDiff, Structure};
use gamewire_wire::Result;

use super::element_count::ElementCount;
use super::fields::{FieldValue, WrongValue};
use super::sink::Sink;
use super::source::{Source, value};
use super::wire::{Wire, deref_to_vec, lists_differ};
use crate::delta::Value;

/// An array with a two-byte length prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Vector<T>(
    /// The elements; at most 65,535.
    pub Vec<T>,
);

deref_to_vec!([T] Vector<T> => T);

impl<T: Wire, const N: usize> Wire for [T; N] {
    const ZERO: Self = [const { T::ZERO }; N];
    const MIN_BYTES: usize = 0;
    const SIZE: u32 = T::SIZE;
    const END: u8 = T::END;
    const STRUCTURE: Option<&'static Structure> = T::STRUCTURE;
    const IS_FLOAT: bool = T::IS_FLOAT;

    fn read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()> {
        from.check_room(N, T::MIN_BYTES)?;
        T::read_slice(self, from, counts)?;
        from.element(None);
        Ok(())
    }

    fn write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()> {
        write_elements(self, to, counts)
    }

    fn heap_bytes(&self) -> usize {
        heap_bytes(self)
    }
}

impl<T: Wire> Wire for Vec<T> {
    const ZERO: Self = Self::new();
    const MIN_BYTES: usize = 0;
    const SIZE: u32 = T::SIZE;
    const END: u8 = T::END;
    const STRUCTURE: Option<&'static Structure> = T::STRUCTURE;
    const IS_FLOAT: bool = T::IS_FLOAT;
    const IS_COUNTED: bool = true;

    fn read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()> {
        let count = from.count(counts)?;
        read_list(self, count, from, ElementCount::split(counts).1)
    }

    fn write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()> {
        to.check_length(counts, self.len())?;
        write_elements(self, to, ElementCount::split(counts).1)
    }

    fn differs(&self, old: &Self) -> bool {
        lists_differ(self, old)
    }

    fn resize_to(&mut self, count: usize) {
        if self.len() != count {
            self.resize(count, T::ZERO);
        }
    }

    fn heap_bytes(&self) -> usize {
        heap_bytes(self).saturating_add(self.capacity().saturating_mul(size_of::<T>()))
    }
}

impl<T: Wire> Wire for Vector<T> {
    const ZERO: Self = Self(Vec::new());
    const MIN_BYTES: usize = 0;
    const SIZE: u32 = T::SIZE;
    const END: u8 = T::END;
    const STRUCTURE: Option<&'static Structure> = T::STRUCTURE;
    const IS_FLOAT: bool = T::IS_FLOAT;

    fn read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> Result<()> {
        let length = read_length(from)?;
        read_list(&mut self.0, length, from, counts)
    }

    fn write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()> {
        write_length(self.len(), to)?;
        write_elements(self, to, counts)
    }

    fn differs(&self, old: &Self) -> bool {
        lists_differ(self, old)
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

/// Reads `count` elements over the elements of `list`.
fn read_list<T: Wire>(
    list: &mut Vec<T>,
    count: usize,
    from: &mut Source<'_>,
    inner: &[ElementCount],
) -> Result<()> {
    from.check_room(count, T::MIN_BYTES)?;
    if list.capacity() < count {
        // Reserve only the necessary capacity, because most lists never grow.
        list.reserve_exact(count.saturating_sub(list.len()));
    }
    list.resize(count, T::ZERO);
    T::read_slice(list, from, inner)?;
    from.element(None);
    Ok(())
}

fn write_elements<T: Wire>(list: &[T], to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<()> {
    for (index, element) in list.iter().enumerate() {
        element.write(to, counts).inspect_err(|_| to.element(Some(index)))?;
    }
    to.element(None);
    Ok(())
}

fn read_length(from: &mut Source<'_>) -> Result<usize> {
    from.array("the length of an array").map(|bytes| usize::from(u16::from_be_bytes(bytes)))
}

fn write_length(length: usize, to: &mut Sink<'_>) -> Result<()> {
    let own = u16::try_from(length).ok();
    to.bytes(&own.unwrap_or_default().to_be_bytes());
    match own {
        Some(_) => Ok(()),
        None => Err(to.error("as many elements as the array has", value(length))),
    }
}

fn heap_bytes<T: Wire>(elements: &[T]) -> usize {
    elements.iter().fold(0, |sum, element| sum.saturating_add(element.heap_bytes()))
}

/// The elements of an array and their maximum number.
type BeginRead<'a, T> = Result<(&'a mut [T], u32)>;

/// An array that can be sent as changes only: pairs of an index and an element, followed by an end mark.
pub trait Changes: Wire {
    /// The type of an element.
    type Element: Wire;

    /// Returns the elements.
    fn elements(&self) -> &[Self::Element];

    /// Reads the data before the changes. Returns the current elements and their maximum number.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the count exceeds its limit, or the body ends too early.
    fn begin_read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> BeginRead<'_, Self::Element>;

    /// Writes the data before the changes. Returns the maximum number of elements.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the number of elements differs from the count, or exceeds its
    /// limit.
    fn begin_write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<u32>;
}

impl<T: Wire, const N: usize> Changes for [T; N] {
    type Element = T;

    fn elements(&self) -> &[T] {
        self
    }

    fn begin_read(&mut self, _: &mut Source<'_>, _: &[ElementCount]) -> BeginRead<'_, T> {
        Ok((self, limit(N)))
    }

    fn begin_write(&self, _: &mut Sink<'_>, _: &[ElementCount]) -> Result<u32> {
        Ok(limit(N))
    }
}

impl<T: Wire> Changes for Vec<T> {
    type Element = T;

    fn elements(&self) -> &[T] {
        self
    }

    fn begin_read(&mut self, from: &mut Source<'_>, counts: &[ElementCount]) -> BeginRead<'_, T> {
        self.resize_to(from.count(counts)?);
        Ok((self, ElementCount::split(counts).0.limit))
    }

    fn begin_write(&self, to: &mut Sink<'_>, counts: &[ElementCount]) -> Result<u32> {
        to.check_length(counts, self.len())?;
        Ok(ElementCount::split(counts).0.limit)
    }
}

impl<T: Wire> Changes for Vector<T> {
    type Element = T;

    fn elements(&self) -> &[T] {
        self
    }

    fn begin_read(&mut self, from: &mut Source<'_>, _: &[ElementCount]) -> BeginRead<'_, T> {
        let length = read_length(from)?;
        self.0.resize_to(length);
        Ok((self, u16::MAX.into()))
    }

    fn begin_write(&self, to: &mut Sink<'_>, _: &[ElementCount]) -> Result<u32> {
        write_length(self.len(), to)?;
        Ok(u16::MAX.into())
    }
}

/// Reads the changed elements of an array over their old values.
pub(super) fn read_changes<A: Changes>(
    array: &mut A,
    from: &mut Source<'_>,
    form: ArrayDiff,
    counts: &[ElementCount],
) -> Result<()> {
    const EXPECTED: &str = "the index of an element, or the end mark";
    let (list, limit) = array.begin_read(from, counts)?;
    let end = form.end_mark(list.len());
    let bytes = form.index_bytes(limit);
    loop {
        let index = match bytes {
            1 => usize::from(u8::from_be_bytes(from.array(EXPECTED)?)),
            _ => usize::from(u16::from_be_bytes(from.array(EXPECTED)?)),
        };
        if index == end {
            from.element(None);
            return Ok(());
        }
        from.element(Some(index));
        let Some(element) = list.get_mut(index) else {
            return Err(from.error_before(bytes, "an index below the number of elements", value(index)));
        };
        element.read(from, &[]).inspect_err(|_| from.element(Some(index)))?;
    }
}

/// Writes the elements of `new` that differ from the elements of `old`.
pub(super) fn write_changes<A: Changes>(
    new: &A,
    old: &A,
    to: &mut Sink<'_>,
    form: ArrayDiff,
    counts: &[ElementCount],
) -> Result<()> {
    let limit = new.begin_write(to, counts)?;
    let (new, old) = (new.elements(), old.elements());
    let is_wide = form.index_bytes(limit) > 1;
    for (index, element) in new.iter().enumerate() {
        let is_same = match (old.get(index), form) {
            (Some(old), _) => old == element,
            (None, ArrayDiff::End255) => *element == Wire::ZERO,
            (None, ArrayDiff::EndLength) => false,
        };
        if !is_same {
            to.element(Some(index));
            write_index(index, is_wide, to)?;
            element.write(to, &[])?;
        }
    }
    to.element(None);
    write_index(form.end_mark(new.len()), is_wide, to)
}

fn write_index(index: usize, is_wide: bool, to: &mut Sink<'_>) -> Result<()> {
    if is_wide && let Ok(index) = u16::try_from(index) {
        to.bytes(&index.to_be_bytes());
    } else if !is_wide && let Ok(index) = u8::try_from(index) {
        to.bytes(&[index]);
    } else {
        return Err(to.error("an index that the array-diff can say", value(index)));
    }
    Ok(())
}

fn limit(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl<T: Wire, const N: usize> FieldValue for [T; N] {
    fn value(&self) -> Value {
        Value::List(self.iter().map(T::value).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        match value {
            Value::List(list) if list.len() == N => set_elements(self, list),
            Value::Absent => self.iter_mut().try_for_each(|element| element.set_value(value)),
            _ => Err(WrongValue::TYPE),
        }
    }
}

impl<T: Wire> FieldValue for Vec<T> {
    fn value(&self) -> Value {
        Value::List(self.iter().map(T::value).collect())
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.clear();
        match value {
            Value::List(list) => {
                self.resize(list.len(), T::ZERO);
                set_elements(self, list)
            }
            Value::Absent => Ok(()),
            _ => Err(WrongValue::TYPE),
        }
    }
}

impl<T: Wire> FieldValue for Vector<T> {
    fn value(&self) -> Value {
        self.0.value()
    }

    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue> {
        self.0.set_value(value)
    }
}

fn set_elements<T: Wire>(elements: &mut [T], values: &[Value]) -> Result<(), WrongValue> {
    elements.iter_mut().zip(values).try_for_each(|(element, value)| element.set_value(value))
}
