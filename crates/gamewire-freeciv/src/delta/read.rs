//! Reads the values of fields.

use gamewire_schema::ir::{ArrayDiff, Count, Dim};
use gamewire_wire::{CodecError, Found, Layer, Reader, Trace};

use super::element::{Element, read_bytes};
use super::packet_layout::FieldLayout;
use super::progress::FieldCursor;
use super::value::Value;

/// Reads a field over its old value. Other fields hold the number of its elements.
pub(super) fn field<T: Trace>(
    step: &FieldLayout,
    values: &mut [Value],
    from: &mut Reader<'_>,
    progress: &mut FieldCursor<T>,
) -> Result<(), CodecError> {
    let start = from.offset();
    if step.dims.is_empty() {
        let Some(value) = values.get_mut(step.field) else { return Ok(()) };
        step.element.read(from, value)?;
        progress.trace_value(&step.name, step.element, (start, from.offset()), value);
        return Ok(());
    }
    let mut value = take(values, step.field);
    let result = match (step.diff, step.dims.as_slice()) {
        (Some(diff), [dim]) => {
            progress.enter(Layer::Group, &step.name, start);
            let result = changes(step, *dim, diff, values, from, &mut value, progress);
            progress.exit();
            result
        }
        (_, [dim]) if matches!(step.element, Element::Memory) => {
            let result = count(*dim, values, from).and_then(|count| read_bytes(from, count, &mut value));
            if result.is_ok() {
                progress.trace_value(&step.name, step.element, (start, from.offset()), &value);
            }
            result
        }
        (_, dims) => {
            progress.enter(Layer::List, &step.name, start);
            let result = elements(step, dims, values, from, &mut value, progress);
            progress.exit();
            result
        }
    };
    put(values, step.field, value);
    result
}

/// Resizes an array that was not sent to its new count. No known sender changes the count without sending the array.
pub(super) fn fit(step: &FieldLayout, values: &mut [Value], offset: usize) -> Result<(), CodecError> {
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
pub(super) fn counted(dim: Dim, field: usize, values: &[Value], offset: usize) -> Result<usize, CodecError> {
    let value = values.get(field).and_then(Value::as_int).unwrap_or(0);
    match u32::try_from(value) {
        Ok(count) if count <= dim.limit => Ok(usize::try_from(count).unwrap_or(usize::MAX)),
        _ => Err(CodecError::new(offset, "a count within the declared size", Found::Value(value))),
    }
}

fn count(dim: Dim, values: &[Value], from: &mut Reader<'_>) -> Result<usize, CodecError> {
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
fn elements<T: Trace>(
    step: &FieldLayout,
    dims: &[Dim],
    values: &[Value],
    from: &mut Reader<'_>,
    to: &mut Value,
    progress: &mut FieldCursor<T>,
) -> Result<(), CodecError> {
    let Some((dim, inner)) = dims.split_first() else {
        let start = from.offset();
        step.element.read(from, to)?;
        progress.trace_value("", step.element, (start, from.offset()), to);
        return Ok(());
    };
    let count = count(*dim, values, from)?;
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
            elements(step, inner, values, from, element, progress)?;
        } else {
            progress.enter(Layer::List, "", from.offset());
            let result = elements(step, inner, values, from, element, progress);
            progress.exit();
            result?;
        }
    }
    progress.element = None;
    *to = Value::List(list);
    Ok(())
}

/// Reads pairs of an index and an element up to the end mark.
fn changes<T: Trace>(
    step: &FieldLayout,
    dim: Dim,
    diff: ArrayDiff,
    values: &[Value],
    from: &mut Reader<'_>,
    to: &mut Value,
    progress: &mut FieldCursor<T>,
) -> Result<(), CodecError> {
    let count = count(dim, values, from)?;
    let end = end_mark(diff, count);
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
            let found = Found::Value(i64::try_from(index).unwrap_or(i64::MAX));
            return Err(CodecError::new(start, "an index below the number of elements", found));
        };
        step.element.read(from, element)?;
        if progress.trace.wants_details() {
            progress.trace_value(&index.to_string(), step.element, (start, from.offset()), element);
        }
    }
}

/// Returns the index that ends the changes of an array with `count` elements.
pub(super) const fn end_mark(diff: ArrayDiff, count: usize) -> usize {
    match diff {
        ArrayDiff::End255 => 255,
        ArrayDiff::EndLength => count,
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
