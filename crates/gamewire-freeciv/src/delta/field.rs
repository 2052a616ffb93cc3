//! Reading and writing the values of fields.

use gamewire_schema::ir::{ArrayDiff, Count, Dim};
use gamewire_wire::{CodecError, Found, Layer, Reader, Result, Trace};

use super::element::{Element, read_bytes};
use super::number::found;
use super::packet_layout::FieldLayout;
use super::progress::FieldCursor;
use super::value::Value;

/// Reads a field over its old value. `values` are all values of the packet, which include the counts of arrays.
pub(super) fn read<T: Trace>(
    step: &FieldLayout,
    values: &mut [Value],
    from: &mut Reader<'_>,
    progress: &mut FieldCursor<T>,
) -> Result<()> {
    let start = from.offset();
    if step.dims.is_empty() {
        let Some(value) = values.get_mut(step.field) else { return Ok(()) };
        step.element.read(from, value)?;
        progress.trace_value(&step.name, &step.element, start..from.offset(), value);
        return Ok(());
    }
    let mut value = take(values, step.field);
    let result = match (step.diff, step.dims.as_slice()) {
        (Some(diff), [dim]) => {
            progress.enter(Layer::Group, &step.name, start);
            let result = read_changes(step, *dim, diff, values, from, &mut value, progress);
            progress.exit();
            result
        }
        (_, [dim]) if matches!(step.element, Element::Memory) => {
            let result = read_count(*dim, values, from).and_then(|count| read_bytes(from, count, &mut value));
            if result.is_ok() {
                progress.trace_value(&step.name, &step.element, start..from.offset(), &value);
            }
            result
        }
        (_, dims) => {
            progress.enter(Layer::List, &step.name, start);
            let result = read_elements(step, dims, values, from, &mut value, progress);
            progress.exit();
            result
        }
    };
    put(values, step.field, value);
    result
}

/// Resizes an array that was not sent to its new count. No known sender changes the count without sending the array.
pub(super) fn fit(step: &FieldLayout, values: &mut [Value], offset: usize) -> Result<()> {
    let [dim, inner @ ..] = step.dims.as_slice() else { return Ok(()) };
    let Count::Field(field) = dim.count else { return Ok(()) };
    let count = counted(*dim, field, values, offset)?;
    match values.get_mut(step.field) {
        Some(Value::List(list)) if list.len() != count => list.resize_with(count, || step.zero_of(inner)),
        Some(Value::Bytes(bytes)) if bytes.len() != count => bytes.resize(count, 0),
        _ => {}
    }
    Ok(())
}

/// Returns the number of elements of a dimension that another field counts.
fn counted(dim: Dim, field: usize, values: &[Value], offset: usize) -> Result<usize> {
    let value = values.get(field).and_then(Value::as_int).unwrap_or(0);
    match u32::try_from(value) {
        Ok(count) if count <= dim.limit => Ok(usize::try_from(count).unwrap_or(usize::MAX)),
        _ => Err(CodecError::new(offset, "a count within the declared size", Found::Value(value))),
    }
}

fn read_count(dim: Dim, values: &[Value], from: &mut Reader<'_>) -> Result<usize> {
    match dim.count {
        Count::Fixed => Ok(usize::try_from(dim.limit).unwrap_or(usize::MAX)),
        Count::Field(field) => counted(dim, field, values, from.offset()),
        Count::Own => {
            let start = from.offset();
            let count = from.be_u16("the length of an array")?;
            if u32::from(count) > dim.limit {
                let expected = "a length within the declared size";
                return Err(CodecError::new(start, expected, Found::Value(count.into())));
            }
            Ok(usize::from(count))
        }
    }
}

/// Reads all elements of an array, dimension by dimension.
fn read_elements<T: Trace>(
    step: &FieldLayout,
    dims: &[Dim],
    values: &[Value],
    from: &mut Reader<'_>,
    to: &mut Value,
    progress: &mut FieldCursor<T>,
) -> Result<()> {
    let Some((dim, inner)) = dims.split_first() else {
        let start = from.offset();
        step.element.read(from, to)?;
        progress.trace_value("", &step.element, start..from.offset(), to);
        return Ok(());
    };
    let count = read_count(*dim, values, from)?;
    let min = if inner.is_empty() { step.element.min_bytes() } else { 0 };
    let left = from.remaining().len();
    if count.saturating_mul(min) > left {
        return Err(CodecError::new(from.offset(), "all elements of an array", Found::Bytes(left)));
    }
    let mut list = take_list(to);
    if list.len() != count {
        list.resize_with(count, || step.zero_of(inner));
    }
    for (index, element) in list.iter_mut().enumerate() {
        if dims.len() == step.dims.len() {
            progress.element = Some(index);
        }
        if inner.is_empty() {
            read_elements(step, inner, values, from, element, progress)?;
        } else {
            progress.enter(Layer::List, "", from.offset());
            let result = read_elements(step, inner, values, from, element, progress);
            progress.exit();
            result?;
        }
    }
    progress.element = None;
    *to = Value::List(list);
    Ok(())
}

/// Reads pairs of an index and an element up to the end mark.
fn read_changes<T: Trace>(
    step: &FieldLayout,
    dim: Dim,
    diff: ArrayDiff,
    values: &[Value],
    from: &mut Reader<'_>,
    to: &mut Value,
    progress: &mut FieldCursor<T>,
) -> Result<()> {
    let count = read_count(dim, values, from)?;
    let end = diff.end_mark(count);
    let mut list = take_list(to);
    if list.len() != count {
        list.resize_with(count, || step.zero_of(&[]));
    }
    loop {
        let start = from.offset();
        let index = match diff.index_bytes(dim.limit) {
            1 => usize::from(from.u8("the index of an element, or the end mark")?),
            _ => usize::from(from.be_u16("the index of an element, or the end mark")?),
        };
        if index == end {
            progress.element = None;
            *to = Value::List(list);
            return Ok(());
        }
        progress.element = Some(index);
        let Some(element) = list.get_mut(index) else {
            return Err(CodecError::new(start, "an index below the number of elements", found(index)));
        };
        step.element.read(from, element)?;
        if progress.trace.wants_details() {
            progress.trace_value(&index.to_string(), &step.element, start..from.offset(), element);
        }
    }
}

/// Takes the elements of an array to reuse their memory.
fn take_list(value: &mut Value) -> Vec<Value> {
    match value {
        Value::List(list) => core::mem::take(list),
        _ => Vec::new(),
    }
}

fn take(values: &mut [Value], field: usize) -> Value {
    values.get_mut(field).map_or(Value::Absent, |value| core::mem::replace(value, Value::Absent))
}

fn put(values: &mut [Value], field: usize, value: Value) {
    if let Some(slot) = values.get_mut(field) {
        *slot = value;
    }
}

/// Writes a field. `old` is its value in the baseline.
pub(super) fn write(
    step: &FieldLayout,
    values: &[Value],
    old: &Value,
    to: &mut Vec<u8>,
    progress: &mut FieldCursor,
) -> Result<()> {
    let value = values.get(step.field).unwrap_or(&Value::Absent);
    match (step.diff, step.dims.as_slice()) {
        (_, []) => step.element.write(value, to),
        (Some(diff), [dim]) => write_changes(step, *dim, diff, values, (old, value), to, progress),
        (_, dims) => write_elements(step, dims, values, value, to, progress),
    }
}

/// Checks the count of an array that is not written, because the receiver also checks it.
pub(super) fn check_count(step: &FieldLayout, values: &[Value], to: &[u8]) -> Result<()> {
    match step.dims.first() {
        Some(dim @ Dim { count: Count::Field(field), .. }) => {
            counted(*dim, *field, values, to.len()).map(drop)
        }
        _ => Ok(()),
    }
}

/// Checks that a dimension has `length` elements, and writes the length if it is sent.
fn write_count(dim: Dim, values: &[Value], length: usize, to: &mut Vec<u8>) -> Result<()> {
    let is_right = match dim.count {
        Count::Fixed => usize::try_from(dim.limit) == Ok(length),
        Count::Field(field) => counted(dim, field, values, to.len())? == length,
        Count::Own => {
            let own = u16::try_from(length).ok().filter(|length| u32::from(*length) <= dim.limit);
            to.extend(own.unwrap_or_default().to_be_bytes());
            own.is_some()
        }
    };
    if is_right {
        Ok(())
    } else {
        Err(CodecError::new(to.len(), "as many elements as the array has", found(length)))
    }
}

fn write_elements(
    step: &FieldLayout,
    dims: &[Dim],
    values: &[Value],
    value: &Value,
    to: &mut Vec<u8>,
    progress: &mut FieldCursor,
) -> Result<()> {
    let Some((dim, inner)) = dims.split_first() else { return step.element.write(value, to) };
    if let (Element::Memory, Value::Bytes(bytes)) = (&step.element, value) {
        write_count(*dim, values, bytes.len(), to)?;
        return step.element.write(value, to);
    }
    let list = list(value, to)?;
    write_count(*dim, values, list.len(), to)?;
    for (index, element) in list.iter().enumerate() {
        if dims.len() == step.dims.len() {
            progress.element = Some(index);
        }
        write_elements(step, inner, values, element, to, progress)?;
    }
    progress.element = None;
    Ok(())
}

fn write_changes(
    step: &FieldLayout,
    dim: Dim,
    diff: ArrayDiff,
    values: &[Value],
    (old, new): (&Value, &Value),
    to: &mut Vec<u8>,
    progress: &mut FieldCursor,
) -> Result<()> {
    let new = list(new, to)?;
    let old = old.as_list().unwrap_or_default();
    let zero = step.zero_of(&[]);
    write_count(dim, values, new.len(), to)?;
    let is_wide = diff.index_bytes(dim.limit) > 1;
    for (index, element) in new.iter().enumerate() {
        let is_same = match (old.get(index), diff) {
            (Some(old), _) => old == element,
            (None, ArrayDiff::End255) => zero == *element,
            (None, ArrayDiff::EndLength) => false,
        };
        if is_same {
            continue;
        }
        progress.element = Some(index);
        write_index(index, is_wide, to)?;
        step.element.write(element, to)?;
    }
    progress.element = None;
    write_index(diff.end_mark(new.len()), is_wide, to)
}

fn write_index(index: usize, is_wide: bool, to: &mut Vec<u8>) -> Result<()> {
    let wrong = |_| CodecError::new(to.len(), "an index that the array-diff can say", found(index));
    if is_wide {
        to.extend(u16::try_from(index).map_err(wrong)?.to_be_bytes());
    } else {
        to.push(u8::try_from(index).map_err(wrong)?);
    }
    Ok(())
}

fn list<'a>(value: &'a Value, to: &[u8]) -> Result<&'a [Value]> {
    value.as_list().ok_or_else(|| CodecError::new(to.len(), "a list of elements", Found::End))
}
