//! Rust types of fields.

use super::output::UnsupportedField;
use crate::ir::{Count, Dim, Field, Packet, WireType};

/// Maximum elements of an array of a fixed length, over all dimensions.
const MAX_ELEMENTS: u64 = 16_384;
/// Maximum keys of a packet, and maximum dimensions of an array.
const MAX: usize = 4;

/// Checks that generated code supports all fields of a packet.
pub(super) fn supported(packet: &Packet) -> Result<(), UnsupportedField> {
    let mut keys = 0_usize;
    for field in &packet.fields {
        let unsupported = |what| {
            let (packet, field) = (packet.name.clone(), field.name.clone());
            Err(UnsupportedField { packet, field, what })
        };
        let fixed = field.dims.iter().filter(|dim| dim.count == Count::Fixed);
        let elements = fixed.fold(1_u64, |product, dim| product.saturating_mul(dim.limit.into()));
        keys = keys.saturating_add(usize::from(field.key));
        if field.key && packet.is_delta() && !(field.wire.is_integer() && field.dims.is_empty()) {
            return unsupported("a key that is no integer");
        }
        if field.wire == WireType::Memory && field.dims.len() != 1 {
            return unsupported("memory with other than one dimension");
        }
        if field.wire == WireType::Memory && field.dims.iter().any(|dim| dim.count == Count::Own) {
            return unsupported("memory with an own length");
        }
        if field.dims.len() > MAX {
            return unsupported("more than four dimensions");
        }
        if elements > MAX_ELEMENTS {
            return unsupported("a fixed array of more than 16,384 elements");
        }
        if let (Some(diff), [dim]) = (field.diff, field.dims.as_slice())
            && dim.limit > diff.max_limit()
        {
            return unsupported("an array too large for its array-diff");
        }
    }
    Ok(())
}

/// The type of a field.
fn rust_type(field: &Field) -> String {
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

fn element(field: &Field) -> String {
    match field.wire {
        WireType::Bool32 | WireType::Uint32 | WireType::Sint32 if field.is_bool() => {
            // A folded field has no width.
            "Bool32".into()
        }
        WireType::Bool8 | WireType::Uint8 | WireType::Sint8 if field.is_bool() => "bool".into(),
        WireType::Bool8 => "bool".into(),
        WireType::Bool32 => "Bool32".into(),
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
        WireType::Memory => "Memory".into(),
        WireType::Requirement => "Requirement".into(),
        WireType::Worklist => "Worklist".into(),
        WireType::ActionProbability => "ActionProbability".into(),
        WireType::UnitOrder => "UnitOrder".into(),
        WireType::CmParameter => "CmParameter".into(),
        WireType::Uint8Vec8 => "ShortList<u8>".into(),
        WireType::Uint16Vec8 => "ShortList<u16>".into(),
    }
}

/// Returns the type of a field in its packet: `bool` for a folded field.
pub(super) fn type_in(packet: &Packet, field: &Field) -> String {
    if packet.is_folded(field) { "bool".into() } else { rust_type(field) }
}
