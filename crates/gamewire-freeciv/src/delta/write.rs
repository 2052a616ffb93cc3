//! Writes the values of fields.

use gamewire_schema::ir::{ArrayDiff, Count, Dim};
use gamewire_wire::{CodecError, Found};

use super::element::Element;
use super::packet_layout::FieldLayout;
use super::progress::FieldCursor;
use super::read::{counted, end_mark};
use super::value::Value;

/// Writes a field. `old` is its value in the baseline.
pub(super) fn field(
    step: &FieldLayout,
    values: &[Value],
    old: &Value,
    to: &mut Vec<u8>,
    progress: &mut FieldCursor,
) -> Result<(), CodecError> {
    let value = values.get(step.field).unwrap_or(&Value::Absent);
    match (step.diff, step.dims.as_slice()) {
        (_, []) => step.element.write(value, to),
        (Some(diff), [dim]) => changes(step, *dim, diff, values, (old, value), to, progress),
        (_, dims) => elements(step, dims, values, value, to, progress),
    }
}

/// Checks the count of an array that is not written, because the receiver does so too.
pub(super) fn skipped(step: &FieldLayout, values: &[Value], to: &[u8]) -> Result<(), CodecError> {
    match step.dims.first() {
        Some(dim @ Dim { count: Count::Field(field), .. }) => {
            counted(*dim, *field, values, to.len()).map(drop)
        }
        _ => Ok(()),
    }
}

/// Checks that a dimension has `length` elements, and writes the length if it is sent.
fn count(dim: Dim, values: &[Value], length: usize, to: &mut Vec<u8>) -> Result<(), CodecError> {
    let found = Found::Value(i64::try_from(length).unwrap_or(i64::MAX));
    let is_right = match dim.count {
        Count::Fixed => usize::try_from(dim.limit) == Ok(length),
        Count::Field(field) => counted(dim, field, values, to.len())? == length,
        Count::Own => {
            let own = u16::try_from(length).ok().filter(|length| u32::from(*length) <= dim.limit);
            to.extend(own.unwrap_or_default().to_be_bytes());
            own.is_some()
        }
    };
    if is_right { Ok(()) } else { Err(CodecError::new(to.len(), "as many elements as the array has", found)) }
}

fn elements(
    step: &FieldLayout,
    dims: &[Dim],
    values: &[Value],
    value: &Value,
    to: &mut Vec<u8>,
    progress: &mut FieldCursor,
) -> Result<(), CodecError> {
    let Some((dim, inner)) = dims.split_first() else { return step.element.write(value, to) };
    if let (Element::Memory, Value::Bytes(bytes)) = (step.element, value) {
        count(*dim, values, bytes.len(), to)?;
        return step.element.write(value, to);
    }
    let list = list(value, to)?;
    count(*dim, values, list.len(), to)?;
    for (index, element) in list.iter().enumerate() {
        if dims.len() == step.dims.len() {
            progress.element = Some(index);
        }
        elements(step, inner, values, element, to, progress)?;
    }
    progress.element = None;
    Ok(())
}

fn changes(
    step: &FieldLayout,
    dim: Dim,
    diff: ArrayDiff,
    values: &[Value],
    (old, new): (&Value, &Value),
    to: &mut Vec<u8>,
    progress: &mut FieldCursor,
) -> Result<(), CodecError> {
    let new = list(new, to)?;
    let old = old.as_list().unwrap_or_default();
    let zero = step.zero_of(&[]);
    count(dim, values, new.len(), to)?;
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
    write_index(end_mark(diff, new.len()), is_wide, to)
}

fn write_index(index: usize, is_wide: bool, to: &mut Vec<u8>) -> Result<(), CodecError> {
    let found = Found::Value(i64::try_from(index).unwrap_or(i64::MAX));
    let wrong = CodecError::new(to.len(), "an index that the array-diff can say", found);
    if is_wide {
        to.extend(u16::try_from(index).map_err(|_| wrong)?.to_be_bytes());
    } else {
        to.push(u8::try_from(index).map_err(|_| wrong)?);
    }
    Ok(())
}

fn list<'a>(value: &'a Value, to: &[u8]) -> Result<&'a [Value], CodecError> {
    value.as_list().ok_or_else(|| CodecError::new(to.len(), "a list of elements", Found::End))
}
