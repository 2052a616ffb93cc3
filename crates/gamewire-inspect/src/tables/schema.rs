use gamewire_wire::Layer;

use super::column::{Column, ColumnType};
use crate::protocol::{Catalog, FieldName, FieldValues, GroupName};

/// Columns of every table that describe the packet of the row.
pub(super) const PACKET_COLUMNS: [(&str, ColumnType); 6] = [
    ("frame", ColumnType::Int(64)),
    ("time", ColumnType::Time),
    ("conversation", ColumnType::Int(64)),
    ("sender", ColumnType::Text),
    ("source", ColumnType::Text),
    ("destination", ColumnType::Text),
];

/// Columns of the table of packets after [`PACKET_COLUMNS`].
pub(super) const PACKETS: [(&str, ColumnType); 9] = [
    ("protocol", ColumnType::Text),
    ("dialect", ColumnType::Text),
    ("length", ColumnType::Int(64)),
    ("messages", ColumnType::Int(32)),
    ("repeated", ColumnType::Int(32)),
    ("resent", ColumnType::Int(32)),
    ("warnings", ColumnType::Int(32)),
    ("errors", ColumnType::Int(32)),
    ("problems", ColumnType::Json),
];

/// Columns of a message or item after [`PACKET_COLUMNS`] and before its fields.
pub(super) const MESSAGE: [(&str, ColumnType); 1] = [("bytes", ColumnType::Int(64))];

/// Column for the fields that have no column, after all others.
pub(super) const OTHERS: &str = "other_fields";

/// Returns the columns of the table of packets.
pub(super) fn packet_columns() -> Vec<Column> {
    PACKET_COLUMNS.iter().chain(&PACKETS).map(|(name, of)| Column::new((*name).to_owned(), *of)).collect()
}

/// Returns the columns of a message or item.
pub(super) fn message_columns(catalog: &Catalog, protocol: &str, layer: Layer, name: &str) -> Vec<Column> {
    let fixed = PACKET_COLUMNS.iter().chain(&MESSAGE);
    let mut columns: Vec<_> = fixed.map(|(name, of)| Column::new((*name).to_owned(), *of)).collect();
    if let Some(group) = find(catalog, protocol, layer, name) {
        add_fields(&mut columns, catalog, group, "", true);
    }
    let common = catalog.common().iter().filter(|field| field.protocol == protocol && field.layer == layer);
    for field in common {
        let of = column_type(&field.field).unwrap_or(ColumnType::Text);
        add(&mut columns, &field.field.name, of);
    }
    add(&mut columns, OTHERS, ColumnType::Json);
    columns
}

/// Returns the name of a field's column. A field must not take the name of a column that every table has.
pub(super) fn column_name(prefix: &str, field: &str) -> String {
    let name = if prefix.is_empty() { field.to_owned() } else { format!("{prefix}_{field}") };
    if is_reserved(&name) { name + "_" } else { name }
}

/// Returns whether every table has a column with this name.
pub(super) fn is_reserved(name: &str) -> bool {
    let mut fixed = PACKET_COLUMNS.iter().chain(&MESSAGE).map(|(name, _)| *name).chain([OTHERS]);
    fixed.any(|fixed| fixed.eq_ignore_ascii_case(name))
}

fn find<'c>(catalog: &'c Catalog, protocol: &str, layer: Layer, name: &str) -> Option<&'c GroupName> {
    catalog
        .groups()
        .iter()
        .find(|group| (group.protocol, group.layer, &*group.name) == (protocol, layer, name))
}

/// Adds the fields of a group. The fields of a structure in the group are columns, too. A structure inside the structure
/// is one column.
fn add_fields(columns: &mut Vec<Column>, catalog: &Catalog, group: &GroupName, prefix: &str, is_outer: bool) {
    for field in &group.fields {
        let name = column_name(prefix, &field.name);
        let of = column_type(field);
        let structure = find(catalog, group.protocol, Layer::Group, &field.name);
        match structure.filter(|_| is_outer && of.is_none()) {
            Some(structure) => add_fields(columns, catalog, structure, &name, false),
            None => add(columns, &name, of.unwrap_or(ColumnType::Text)),
        }
    }
}

/// Adds a column, unless one with its name exists. Query engines ignore the case of names, so the comparison does, too.
fn add(columns: &mut Vec<Column>, name: &str, of: ColumnType) {
    if !columns.iter().any(|column| column.name.eq_ignore_ascii_case(name)) {
        columns.push(Column::new(name.to_owned(), of));
    }
}

/// Returns the column type of a field, or `None` for a structure, an enum or flags.
const fn column_type(field: &FieldName) -> Option<ColumnType> {
    if field.is_list {
        return Some(ColumnType::Json);
    }
    if !field.words.is_empty() {
        return None;
    }
    Some(match field.values {
        FieldValues::Other => return None,
        FieldValues::Int(bits) => ColumnType::Int(bits),
        FieldValues::Uint(bits) => ColumnType::Uint(bits),
        FieldValues::Float => ColumnType::Double,
        FieldValues::Bool => ColumnType::Bool,
        FieldValues::Text => ColumnType::Text,
        FieldValues::Bytes => ColumnType::Bytes,
    })
}
