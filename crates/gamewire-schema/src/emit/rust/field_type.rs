use super::output::UnsupportedField;
use crate::ir::{Count, Dim, Field, Packet, WireType};

/// Maximum elements of an array of a fixed length, all dimensions together.
const MAX_ELEMENTS: u64 = 16_384;
/// Maximum dimensions of an array.
const MAX_DIMS: usize = 4;

/// Checks that generated code supports all fields of a packet.
pub(super) fn check_fields(packet: &Packet) -> Result<(), UnsupportedField> {
    for field in &packet.fields {
        if let Some(what) = unsupported(packet, field) {
            return Err(UnsupportedField { packet: packet.name.clone(), field: field.name.clone(), what });
        }
    }
    Ok(())
}

/// Returns why generated code does not support a field.
fn unsupported(packet: &Packet, field: &Field) -> Option<&'static str> {
    let fixed = field.dims.iter().filter(|dim| dim.count == Count::Fixed);
    let elements = fixed.fold(1_u64, |product, dim| product.saturating_mul(dim.limit.into()));
    let is_memory = field.wire == WireType::Memory;
    if field.key && packet.is_delta() && !(field.wire.is_integer() && field.dims.is_empty()) {
        Some("a key that is no integer")
    } else if is_memory && field.dims.len() != 1 {
        Some("memory with other than one dimension")
    } else if is_memory && field.dims.iter().any(|dim| dim.count == Count::Own) {
        Some("memory with an own length")
    } else if field.dims.len() > MAX_DIMS {
        Some("more than four dimensions")
    } else if elements > MAX_ELEMENTS {
        Some("a fixed array of more than 16,384 elements")
    } else if let (Some(diff), [dim]) = (field.diff, field.dims.as_slice())
        && dim.limit > diff.max_limit()
    {
        Some("an array too large for its array-diff")
    } else {
        None
    }
}

/// Returns the type of a field in its packet: `bool` for a folded field.
pub(super) fn field_type(packet: &Packet, field: &Field) -> String {
    if packet.is_folded(field) {
        return "bool".into();
    }
    match (field.wire, field.dims.as_slice()) {
        (WireType::Memory, [Dim { limit, count: Count::Fixed }]) => return format!("Bitvector<{limit}>"),
        (WireType::Memory, _) => return "Memory".into(),
        (WireType::String { size } | WireType::Estring { size }, [Dim { count: Count::Field(_), .. }])
            if field.diff.is_none() =>
        {
            return format!("Texts<{size}>");
        }
        _ => {}
    }
    field.dims.iter().rev().fold(element(field), |inner, dim| match dim.count {
        Count::Fixed => format!("[{inner}; {}]", dim.limit),
        Count::Field(_) => format!("Vec<{inner}>"),
        Count::Own => format!("Vector<{inner}>"),
    })
}

/// Returns the type of one element.
fn element(field: &Field) -> String {
    match field.wire {
        WireType::Bool8 => "bool".into(),
        WireType::Uint8 | WireType::Sint8 if field.is_bool() => "bool".into(),
        WireType::Uint32 | WireType::Sint32 if field.is_bool() => "Bool32".into(),
        WireType::Uint8 => "u8".into(),
        WireType::Uint16 => "u16".into(),
        WireType::Uint32 => "u32".into(),
        WireType::Sint8 => "i8".into(),
        WireType::Sint16 => "i16".into(),
        WireType::Sint32 => "i32".into(),
        WireType::Ufloat { factor } => format!("Ufloat<{factor}>"),
        WireType::Sfloat { factor } => format!("Sfloat<{factor}>"),
        WireType::Bitvector { bytes } => format!("Bitvector<{bytes}>"),
        WireType::String { size } | WireType::Estring { size } => format!("Text<{size}>"),
        WireType::Uint8Vec8 => "ShortList<u8>".into(),
        WireType::Uint16Vec8 => "ShortList<u16>".into(),
        // The codec has types with the names of these variants.
        wire @ (WireType::Bool32
        | WireType::Memory
        | WireType::Requirement
        | WireType::Worklist
        | WireType::ActionProbability
        | WireType::UnitOrder
        | WireType::CmParameter) => format!("{wire:?}"),
    }
}
