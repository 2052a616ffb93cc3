use thiserror::Error;

use super::code::Code;
use super::names::structure_name;
use super::versions::{Form, Merged, MergedField, Range};
use crate::emit::notes;
use crate::ir::{Count, Dim, Field, Packet, WireType};
use crate::limits::MAX_DIMS;

/// Maximum elements of an array with a fixed length, over all dimensions.
const MAX_ELEMENTS: u64 = 16_384;

/// Writes the struct of a packet for the derive macro. `versions` are the numbers of all versions. `codec` is the path
/// of the codec if it is not the default.
pub(super) fn write_struct(
    code: &mut Code,
    packet: &Merged<'_>,
    name: &str,
    versions: &[String],
    codec: Option<&str>,
) {
    let doc = &packet.packet.doc;
    code.line("");
    code.doc(doc);
    code.line("#[derive(Clone, Debug, PartialEq, Packet)]");
    code.line(format!("#[packet({})]", attributes(packet, versions, codec).join(", ")));
    if doc.is_empty() || packet.fields.iter().any(|field| field.doc.is_empty()) {
        code.line("#[allow(missing_docs, reason = \"the definition omits obvious descriptions\")]");
    }
    if packet.fields.iter().any(|field| field.ident.contains(|c: char| c.is_ascii_uppercase())) {
        code.line("#[allow(non_snake_case, reason = \"the definition's own names\")]");
    }
    if packet.fields.is_empty() {
        code.line(format!("pub struct {name};"));
        return;
    }
    code.line(format!("pub struct {name} {{"));
    for field in &packet.fields {
        code.doc(field.doc);
        for form in &field.forms {
            code.line(format!("#[field({})]", form_attributes(form, field, versions).join(", ")));
        }
        match field.is_optional {
            true => code.line(format!("pub {}: Option<{}>,", field.ident, field.ty)),
            false => code.line(format!("pub {}: {},", field.ident, field.ty)),
        }
    }
    code.line("}");
}

fn attributes(merged: &Merged<'_>, versions: &[String], codec: Option<&str>) -> Vec<String> {
    let packet = merged.packet;
    let mut list = vec![format!("name = {:?}", packet.name), format!("number = {}", packet.number)];
    list.extend(packet.directions.to_client.then(|| "sc".to_owned()));
    list.extend(packet.directions.to_server.then(|| "cs".to_owned()));
    list.extend(notes::flags(packet).iter().map(|flag| flag.replace('-', "_")));
    if !merged.cancels.is_empty() {
        let numbers: Vec<String> = merged.cancels.iter().map(u16::to_string).collect();
        list.push(format!("cancel({})", numbers.join(", ")));
    }
    if !merged.capabilities.is_empty() {
        let names: Vec<String> = merged.capabilities.iter().map(|name| format!("{name:?}")).collect();
        list.push(format!("capabilities({})", names.join(", ")));
    }
    list.extend(range(merged.range, versions));
    if !packet.topic.is_empty() {
        list.push(format!("topic = {:?}", packet.topic));
    }
    list.extend(codec.map(|path| format!("codec = {path:?}")));
    list
}

/// Returns the attributes that restrict an item to a range of versions.
fn range(range: Range, versions: &[String]) -> Vec<String> {
    let since = versions.get(range.first).filter(|_| range.first > 0);
    let before = range.last.checked_add(1).and_then(|end| versions.get(end));
    let since = since.map(|version| format!("since = {version:?}"));
    since.into_iter().chain(before.map(|version| format!("before = {version:?}"))).collect()
}

fn form_attributes(form: &Form<'_>, of: &MergedField<'_>, versions: &[String]) -> Vec<String> {
    let field = form.field;
    let wire = field.wire.to_string();
    // The size of a string or a bitvector is omitted.
    let word = wire.split('(').next().unwrap_or_default();
    let word = field.structure.as_ref().map_or(word, |structure| &*structure.name);
    let basic = if field.c_type.is_empty() { word.to_owned() } else { format!("{word}({})", field.c_type) };
    let ty = if field.type_name == basic { basic } else { format!("{} = {basic}", field.type_name) };
    let mut list = vec![format!("{ty:?}")];
    if field.name != of.ident.strip_prefix("r#").unwrap_or(&of.ident) {
        list.push(format!("name = {:?}", field.name));
    }
    list.extend(field.structure.as_ref().map(|_| "structure".to_owned()));
    list.extend(field.aliases.iter().map(|name| format!("alias = {name:?}")));
    list.extend(field.key.then(|| "key".to_owned()));
    if !form.dims.is_empty() {
        list.push(format!("array = {:?}", form.dims));
    }
    list.extend(field.diff.map(|form| format!("diff = {:?}", notes::array_diff(form))));
    list.extend((form.ty != of.ty).then(|| format!("form = {:?}", form.ty)));
    list.extend(range(form.range, versions));
    list.extend(field.add_caps.iter().map(|name| format!("with = {name:?}")));
    list.extend(field.remove_caps.iter().map(|name| format!("without = {name:?}")));
    list
}

/// The error for a field that generated code does not support.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{packet}.{field}: {what}")]
pub struct UnsupportedField {
    /// The packet.
    pub packet: String,
    /// The field of the packet.
    pub field: String,
    /// The reason.
    pub what: &'static str,
}

/// Checks that generated code supports all fields of a packet.
pub(super) fn check_fields(packet: &Packet) -> Result<(), UnsupportedField> {
    packet.fields.iter().try_for_each(|field| match unsupported(packet, field) {
        Some(what) => Err(UnsupportedField { packet: packet.name.clone(), field: field.name.clone(), what }),
        None => Ok(()),
    })
}

/// Returns the reason why generated code does not support a field, or `None` if it does.
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

/// Returns the type of a field in its packet. It is `bool` for a folded field.
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
        WireType::EndedList { end, max } => format!("EndedList<{end}, {max}>"),
        WireType::BitString { size } => format!("BitString<{size}>"),
        WireType::Structure => field.structure.as_deref().map(structure_name).unwrap_or_default(),
        // The codec's types have the same names as these variants.
        wire @ (WireType::Bool32
        | WireType::Memory
        | WireType::Requirement
        | WireType::Worklist
        | WireType::ActionProbability
        | WireType::UnitOrder
        | WireType::CmParameter) => format!("{wire:?}"),
    }
}
