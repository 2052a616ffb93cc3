//! Freeciv's names and redundant fields.

use std::borrow::Cow;

use gamewire_freeciv::follow::{StreamFollower, StreamPacket, label, parts};
use gamewire_machine::record::NodeRef;
use gamewire_schema::ir::{self, Directions, WireType};
use gamewire_wire::{Layer, Trace, Value};

use super::catalog::{FieldAlias, GroupRow, table_groups};
use super::type_names::{is_list, values_of};
use super::{FieldName, FieldValues, GroupName};

/// The first word of its field names.
pub(super) const NAME: &str = "freeciv";

/// Returns true if a field is a bit that is 0: every packet has one bit for each of its booleans.
pub(super) fn is_redundant(field: NodeRef<'_>) -> bool {
    !field.span().is_whole_bytes() && field.value() == Some(Value::Bool(false))
}

/// Reports the next packet that ends in `data`, as [`StreamFollower::next`]. The decoder is compiled in this crate, once.
pub fn next_freeciv_packet(
    follower: &mut StreamFollower,
    data: &mut &[u8],
    mut trace: &mut dyn Trace,
) -> Option<StreamPacket> {
    follower.next(data, &mut trace)
}

/// Returns the groups that the follower reports around packets of any version.
pub(super) fn groups() -> impl Iterator<Item = GroupName> {
    const GROUPS: &[GroupRow] = &[
        (
            Layer::Packet,
            "run",
            "The next bytes of one direction of a connection.",
            &[
                ("offset", "integer", "Number of earlier bytes of this direction."),
                (
                    "part",
                    "bytes",
                    "Part of a packet or chunk that ends in a later run or began in an earlier one.",
                ),
                (
                    "not_decoded",
                    "bytes",
                    "Bytes that cannot be followed: after an error or a gap, or of a connection that began before the capture.",
                ),
                ("packets_not_decoded", "integer", "Number of its packets after one that cannot be decoded."),
            ],
        ),
        (
            Layer::Packet,
            "chunk",
            "Packets that were compressed together.",
            &[("inflated", "integer", "Their bytes after decompression.")],
        ),
        (
            Layer::Group,
            "frame",
            "One packet: its header, its bits and its fields.",
            &[
                ("length", "integer", "Its bytes, header included."),
                ("number", "integer", "Its type."),
                ("bits", "bytes", "The bits of the delta header: which fields are sent."),
                ("set", "list of integer", "Numbers of the bits that are set."),
            ],
        ),
        (
            Layer::Message,
            "unknown_packet",
            "A packet of a version without a definition.",
            &[("body", "bytes", "Bytes after its header.")],
        ),
        (
            Layer::Group,
            "desync",
            "Why a packet could not be decoded. No later packet can be decoded either.",
            &[
                ("packet", "text", "The packet, as the definition calls it."),
                ("number", "integer", "Its type."),
                (
                    "place",
                    "text",
                    "Its offset: a byte of the stream and, after +, a byte of the decompressed chunk.",
                ),
                ("fault", "text", "The error."),
                ("field", "text", "The field."),
                ("bit", "integer", "The field's bit."),
                ("element", "integer", "The element of the field's array."),
                ("offset", "integer", "The offset in the body, in bytes."),
                ("field_before", "text", "The field that was read before it."),
                ("field_before_offset", "integer", "The offset of that field in the body, in bytes."),
                ("field_after", "text", "The field that would have come next."),
                ("packet_before", "text", "The packet before it in the same direction."),
                ("replay", "bytes", "A stream that reproduces the error, for gamewire inspect --stream."),
            ],
        ),
    ];
    table_groups(NAME, GROUPS, |name, kind, doc| field(name.into(), kind, doc))
}

/// Returns the packets of a version, and the groups of their structures and changes. Such a group has the name of the
/// field that contains it.
pub(super) fn packets(protocol: &ir::Protocol) -> impl Iterator<Item = GroupName> {
    let packets = protocol.packets.iter().map(|packet| {
        let fields = packet.fields.iter().map(|one| FieldName {
            values: values(one),
            is_list: is_list_field(one),
            ..field(one.name.clone().into(), &kind(one), &one.doc)
        });
        let doc = if packet.doc.is_empty() {
            format!("{} ({}), {}.", packet.name, packet.number, sender(packet.directions))
        } else {
            packet.doc.replace('\n', " ")
        };
        group(Layer::Message, label(&packet.name), doc, fields.collect())
    });
    let fields = protocol.packets.iter().flat_map(|packet| &packet.fields);
    let parts = fields.filter_map(|holder| {
        let parts = parts(holder).into_iter().filter(|part| !part.name.is_empty());
        let parts: Vec<FieldName> =
            parts.map(|part| field(part.name.into(), part_kind(part.wire), "")).collect();
        let layer = if is_list_field(holder) { Layer::List } else { Layer::Group };
        (!parts.is_empty()).then(|| group(layer, holder.name.clone(), holder.doc.replace('\n', " "), parts))
    });
    packets.chain(parts)
}

/// Returns the other names of the fields of a version.
pub(super) fn aliases(protocol: &ir::Protocol) -> impl Iterator<Item = FieldAlias> {
    protocol.packets.iter().flat_map(|packet| {
        let fields = packet.fields.iter();
        let aliases = fields.flat_map(|field| field.aliases.iter().map(move |alias| (alias, &field.name)));
        aliases.map(|(alias, name)| FieldAlias {
            protocol: NAME,
            group: label(&packet.name),
            alias: alias.clone(),
            name: name.clone(),
        })
    })
}

fn group(layer: Layer, name: String, doc: String, fields: Vec<FieldName>) -> GroupName {
    GroupName { protocol: NAME, layer, name: name.into(), doc, fields }
}

fn field(name: Cow<'static, str>, kind: &str, doc: &str) -> FieldName {
    FieldName {
        name,
        kind: kind.into(),
        values: values_of(kind),
        is_list: is_list(kind),
        words: Vec::new(),
        doc: doc.replace('\n', " "),
    }
}

const fn sender(directions: Directions) -> &'static str {
    match (directions.to_client, directions.to_server) {
        (true, true) => "from either side",
        (true, false) => "from the server",
        _ => "from the client",
    }
}

/// Returns the type of a part of a structure in words.
const fn part_kind(wire: WireType) -> &'static str {
    if matches!(wire, WireType::Bool8 | WireType::Bool32) { "boolean" } else { "integer" }
}

/// Returns the type of the values of a field.
fn values(field: &ir::Field) -> FieldValues {
    match field.wire {
        _ if field.is_bool() => FieldValues::Bool,
        WireType::Bool8 | WireType::Bool32 => FieldValues::Bool,
        WireType::String { .. } | WireType::Estring { .. } | WireType::BitString { .. } => FieldValues::Text,
        WireType::Memory => FieldValues::Bytes,
        WireType::Bitvector { .. }
        | WireType::Requirement
        | WireType::UnitOrder
        | WireType::CmParameter
        | WireType::ActionProbability
        | WireType::Worklist
        | WireType::Uint8Vec8
        | WireType::Uint16Vec8
        | WireType::EndedList { .. }
        | WireType::Structure => FieldValues::Other,
        WireType::Ufloat { .. } | WireType::Sfloat { .. } => FieldValues::Float,
        _ => FieldValues::Int(64),
    }
}

/// Returns whether a field is a list. The bytes of a memory are one value.
fn is_list_field(field: &ir::Field) -> bool {
    match field.wire {
        WireType::Worklist | WireType::Uint8Vec8 | WireType::Uint16Vec8 | WireType::EndedList { .. } => true,
        WireType::Memory => false,
        _ => !field.dims.is_empty(),
    }
}

/// Returns the type of a field in words.
fn kind(field: &ir::Field) -> String {
    let one = match field.wire {
        _ if field.is_bool() => "boolean",
        WireType::Bool8 | WireType::Bool32 => "boolean",
        WireType::Ufloat { .. } | WireType::Sfloat { .. } => "number",
        WireType::String { .. } | WireType::Estring { .. } | WireType::BitString { .. } => "text",
        WireType::Bitvector { .. } => "bits",
        WireType::Memory => return "bytes".into(),
        WireType::Requirement => "requirement",
        WireType::UnitOrder => "unit order",
        WireType::CmParameter => "city manager parameter",
        WireType::ActionProbability => "action probability",
        WireType::Worklist | WireType::Uint8Vec8 | WireType::Uint16Vec8 | WireType::EndedList { .. } => {
            "list"
        }
        WireType::Structure => field.structure.as_ref().map_or("structure", |structure| &structure.name),
        _ => "integer",
    };
    if field.dims.is_empty() { one.into() } else { format!("list of {one}") }
}
