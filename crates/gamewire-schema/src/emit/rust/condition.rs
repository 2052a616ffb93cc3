//! When a field is there.

use crate::ir::{Field, Packet};

/// What must hold of the mask for a field to be sent; `None` if it always is.
pub(super) fn condition(packet: &Packet, field: &Field) -> Option<String> {
    let index = |name: &String| packet.capabilities.iter().position(|known| known == name);
    let add = field.add_caps.iter().filter_map(index).map(|index| format!("mask.has({index})"));
    let remove = field.remove_caps.iter().filter_map(index).map(|index| format!("!mask.has({index})"));
    let parts: Vec<String> = add.chain(remove).collect();
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// The bit of every field, as an expression: a number where it is the same in all variants.
pub(super) fn bits(packet: &Packet) -> Vec<String> {
    let mut bits: Vec<Option<usize>> = vec![None; packet.fields.len()];
    let mut is_fixed = true;
    for variant in packet.variants() {
        for (bit, index) in variant.bits().enumerate() {
            match bits.get_mut(index) {
                Some(known @ None) => *known = Some(bit),
                Some(Some(known)) => is_fixed &= *known == bit,
                None => {}
            }
        }
    }
    let text = |bit: &Option<usize>| match bit {
        Some(bit) if is_fixed => bit.to_string(),
        Some(_) => "bits.bit()".to_owned(),
        None => String::new(),
    };
    bits.iter().map(text).collect()
}
