use std::fmt;

use crate::emit::notes;
use crate::emit::table::{Table, escaped};
use crate::ir::{Field, Packet};

/// Maximum number of variants whose bits the table lists separately.
pub(super) const MAX_SHOWN_VARIANTS: u64 = 4;

/// Writes the fields of a packet, with their bits if it has a bitvector.
pub(super) fn write_fields(f: &mut fmt::Formatter<'_>, packet: &Packet) -> fmt::Result {
    if !packet.is_delta() || packet.variant_count() > MAX_SHOWN_VARIANTS {
        let mut table = Table::new(["field", "wire type", "type", "description"]);
        packet.fields.iter().for_each(|field| table.row(columns(field, packet)));
        return write!(f, "{table}");
    }
    let mut table = Table::new(["bit", "field", "wire type", "type", "description"]);
    for (bit, field) in bits(packet).into_iter().zip(&packet.fields) {
        let [name, wire, of, description] = columns(field, packet);
        table.row([bit, name, wire, of, description]);
    }
    write!(f, "{table}")
}

fn columns(field: &Field, packet: &Packet) -> [String; 4] {
    let mut description = Vec::new();
    description.extend(packet.is_folded(field).then(|| "folded".to_owned()));
    description.extend(field.diff.map(|_| "array-diff".to_owned()));
    description.extend(field.add_caps.iter().map(|name| format!("only with `{name}`")));
    description.extend(field.remove_caps.iter().map(|name| format!("only without `{name}`")));
    let mut description = description.join(", ");
    if !field.doc.is_empty() {
        description.push_str(if description.is_empty() { "" } else { ": " });
        description.push_str(&escaped(&field.doc));
    }
    let wire = format!("`{}`", notes::wire(field, packet));
    [format!("`{}`", field.name), wire, escaped(type_name(field)), description]
}

/// Returns the alias, or the C type if there is none.
fn type_name(field: &Field) -> &str {
    let is_alias = !field.type_name.is_empty() && !field.type_name.contains('(');
    if is_alias { &field.type_name } else { &field.c_type }
}

/// Returns the bit of every field, for each variant if they differ; `key` for a key.
fn bits(packet: &Packet) -> Vec<String> {
    let mut all: Vec<Vec<Option<usize>>> = vec![Vec::new(); packet.fields.len()];
    for variant in packet.variants() {
        let mut here = vec![None; packet.fields.len()];
        for (bit, index) in variant.bits().enumerate() {
            if let Some(slot) = here.get_mut(index) {
                *slot = Some(bit);
            }
        }
        all.iter_mut().zip(here).for_each(|(bits, bit)| bits.push(bit));
    }
    let shown = |(variants, field): (Vec<Option<usize>>, &Field)| {
        if field.key {
            return "key".to_owned();
        }
        let is_same = variants.windows(2).all(|pair| pair.first() == pair.last());
        let shown = if is_same { variants.get(..1).unwrap_or_default() } else { &variants };
        let shown = shown.iter().map(|bit| bit.map_or_else(|| "-".to_owned(), |bit| bit.to_string()));
        shown.collect::<Vec<String>>().join(" / ")
    };
    all.into_iter().zip(&packet.fields).map(shown).collect()
}
