use std::{fmt, iter};

use super::packet::MAX_SHOWN_VARIANTS;
use super::table::{escaped, table};
use super::versions::{Group, PresentPacket, VersionedPacket, Versions, grouped};
use crate::emit::notes;
use crate::ir::{Field, Packet};

/// A field of a packet in one or more versions.
struct Row {
    /// The bit in each version, or an empty text where the version does not have this row.
    bits: Vec<String>,
    cells: [String; 4],
}

/// A field of a packet in one version.
struct VersionedField {
    /// Position of the version.
    position: usize,
    cells: [String; 4],
    bit: String,
}

/// Writes the fields of a packet, with their bits if the packet has a bitvector. If versions differ, each has a column
/// of bits.
pub(super) fn write_fields(
    f: &mut fmt::Formatter<'_>,
    packet: &VersionedPacket<'_>,
    versions: Versions<'_>,
) -> fmt::Result {
    let present: Vec<PresentPacket<'_>> = packet.present().collect();
    let rows: Vec<Row> =
        packet.field_names().into_iter().flat_map(|name| rows(name, &present, versions)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(f)?;
    let is_same = rows.iter().all(|row| {
        let mut bits = present.iter().filter_map(|present| row.bits.get(present.position));
        let first = bits.next();
        first.is_some_and(|first| !first.is_empty()) && bits.all(|bit| Some(bit) == first)
    });
    let has_bits = present.iter().any(|present| has_bits(present.packet));
    let labels = versions.labels();
    let columns: Vec<(&str, usize)> = match present.first() {
        Some(first) if is_same => iter::once(("bit", first.position)).filter(|_| has_bits).collect(),
        _ => present
            .iter()
            .filter_map(|&PresentPacket { position, .. }| Some((*labels.get(position)?, position)))
            .collect(),
    };
    let head: Vec<&str> = columns
        .iter()
        .map(|(title, _)| *title)
        .chain(["field", "wire type", "type", "description"])
        .collect();
    let rows = rows.into_iter().map(|row| {
        let bits = columns.iter().map(|&(_, position)| row.bits.get(position).cloned().unwrap_or_default());
        bits.chain(row.cells).collect()
    });
    write!(f, "{}", table(&head, rows))
}

/// Returns the rows of a field: one if it is the same in all versions.
fn rows(name: &str, present: &[PresentPacket<'_>], versions: Versions<'_>) -> Vec<Row> {
    let of_version = |&PresentPacket { position, packet }: &PresentPacket<'_>| {
        let index = packet.field_index(name)?;
        let cells = cells(packet.fields.get(index)?, packet);
        Some(VersionedField { position, cells, bit: bit(index, packet) })
    };
    let known: Vec<VersionedField> = present.iter().filter_map(of_version).collect();
    let groups = grouped(known.iter().map(|field| (field.position, &field.cells)));
    let row = |Group { positions, value }: Group<&[String; 4]>| {
        let mut bits = vec![String::new(); versions.0.len()];
        for field in known.iter().filter(|field| positions.contains(&field.position)) {
            if let Some(shown) = bits.get_mut(field.position) {
                shown.clone_from(&field.bit);
            }
        }
        Row { bits, cells: value.clone() }
    };
    groups.into_iter().map(row).collect()
}

fn has_bits(packet: &Packet) -> bool {
    packet.is_delta() && packet.variant_count() <= MAX_SHOWN_VARIANTS
}

fn cells(field: &Field, packet: &Packet) -> [String; 4] {
    let mut description = Vec::new();
    description.extend(packet.is_folded(field).then(|| "folded".to_owned()));
    description.extend(field.diff.map(|_| "array-diff".to_owned()));
    description.extend(field.add_caps.iter().map(|name| format!("only with `{name}`")));
    description.extend(field.remove_caps.iter().map(|name| format!("only without `{name}`")));
    description.extend(field.aliases.iter().map(|name| format!("also named `{name}`")));
    let mut description = description.join(", ");
    if !field.doc.is_empty() {
        description.push_str(if description.is_empty() { "" } else { ": " });
        description.push_str(&escaped(&field.doc));
    }
    let wire = format!("`{}`", notes::wire(field, packet));
    [format!("`{}`", field.name), wire, escaped(type_name(field)), description]
}

/// Returns the alias of a field's type, or its C type if there is no alias.
fn type_name(field: &Field) -> &str {
    let is_alias = !field.type_name.is_empty() && !field.type_name.contains('(');
    if is_alias { &field.type_name } else { &field.c_type }
}

/// Returns the bit of a field, or `key` for a key. If variants differ, returns the bit in each of them. Where bits are
/// not shown, returns `yes`.
fn bit(index: usize, packet: &Packet) -> String {
    if !has_bits(packet) {
        return "yes".to_owned();
    }
    if packet.fields.get(index).is_some_and(|field| field.key) {
        return "key".to_owned();
    }
    let bit = |bits: Vec<usize>| bits.binary_search(&index).ok();
    let mut bits: Vec<Option<usize>> =
        packet.variants().map(|variant| bit(variant.bits().collect())).collect();
    if bits.windows(2).all(|pair| pair.first() == pair.last()) {
        bits.truncate(1);
    }
    let shown = bits.iter().map(|bit| bit.map_or_else(|| "-".to_owned(), |bit| bit.to_string()));
    shown.collect::<Vec<String>>().join(" / ")
}
