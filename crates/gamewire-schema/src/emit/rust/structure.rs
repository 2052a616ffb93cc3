use std::collections::HashMap;

use super::code::Code;
use super::names::{identifier, structure_name};
use super::packet::UnsupportedField;
use crate::ir::{Part, PartType, Protocol, Structure, WireType};

/// Returns the structures in all versions, each after the ones that it contains.
pub(super) fn structures(versions: &[Protocol]) -> Result<Vec<&Structure>, UnsupportedField> {
    let mut list: Vec<&Structure> = Vec::new();
    let mut by_name: HashMap<String, &Structure> = HashMap::new();
    for packet in versions.iter().flat_map(|protocol| &protocol.packets) {
        for field in &packet.fields {
            let is_new =
                field.structure.as_ref().is_none_or(|structure| add(structure, &mut list, &mut by_name));
            if !is_new {
                let (packet, field) = (packet.name.clone(), field.name.clone());
                return Err(UnsupportedField {
                    packet,
                    field,
                    what: "a structure with the name of another one",
                });
            }
        }
    }
    Ok(list)
}

/// Adds a structure and the ones that it contains. Returns false if another one has its name.
fn add<'p>(
    structure: &'p Structure,
    list: &mut Vec<&'p Structure>,
    by_name: &mut HashMap<String, &'p Structure>,
) -> bool {
    let name = structure_name(structure);
    if let Some(known) = by_name.get(&name) {
        return *known == structure;
    }
    let inner = structure.parts.iter().filter_map(|part| match &part.part_type {
        PartType::Structure(inner) => Some(inner),
        PartType::Number(_) => None,
    });
    for inner in inner {
        if !add(inner, list, by_name) {
            return false;
        }
    }
    by_name.insert(name, structure);
    list.push(structure);
    true
}

/// Writes the struct of a structure.
pub(super) fn write_structure(code: &mut Code, structure: &Structure, codec: &str) {
    code.line("");
    code.line(format!("{codec}::structure! {{"));
    code.line(format!("/// The type `{}`: {} bytes.", structure.name, structure.bytes()));
    code.line("#[allow(missing_docs, reason = \"the definition does not describe the parts\")]");
    if structure.parts.iter().any(|part| part.name.contains(|c: char| c.is_ascii_uppercase())) {
        code.line("#[allow(non_snake_case, reason = \"the definition's own names\")]");
    }
    code.line(format!("{} = {:?} {{", structure_name(structure), structure.name));
    for part in structure.parts.iter() {
        code.line(format!("{}: {} = {:?},", identifier(&part.name), part_type(part), part.name));
    }
    code.line("}");
    code.line("}");
}

fn part_type(part: &Part) -> String {
    let one = match &part.part_type {
        PartType::Structure(inner) => structure_name(inner),
        PartType::Number(wire) => match wire {
            WireType::Bool8 => "bool",
            WireType::Bool32 => "Bool32",
            WireType::Uint16 => "u16",
            WireType::Uint32 => "u32",
            WireType::Sint8 => "i8",
            WireType::Sint16 => "i16",
            WireType::Sint32 => "i32",
            _ => "u8",
        }
        .to_owned(),
    };
    part.count.map_or_else(|| one.clone(), |count| format!("[{one}; {count}]"))
}
