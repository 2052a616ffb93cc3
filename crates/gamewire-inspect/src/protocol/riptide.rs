//! Riptide's names and redundant fields.

use gamewire_machine::record::NodeRef;
use gamewire_riptide::layout::{FieldLayout, FieldType, MessageLayouts, Scalar};
use gamewire_riptide::raw::{Definition, FieldDefinition};
use gamewire_wire::Layer;

use super::catalog::{GroupRow, table_groups};
use super::type_names::{describe_type, is_list, joined, values_of};
use super::{CommonField, FieldName, FieldValues, GroupName};

/// The first word of its field names.
pub(super) const NAME: &str = "riptide";

/// Returns whether a field repeats the name of its packet.
pub(super) fn is_redundant(field: NodeRef<'_>) -> bool {
    field.name() == "header"
}

/// Returns Riptide's headers, and the groups that the follower reports around them.
pub(super) fn groups() -> impl Iterator<Item = GroupName> {
    let defined = gamewire_riptide::definitions().map(|definition| {
        let Definition { layer, name, doc, fields } = *definition;
        let fields =
            fields.iter().map(|FieldDefinition { name, kind, doc, .. }| field(name, kind, &joined(doc)));
        GroupName { protocol: NAME, layer, name: name.into(), doc: joined(doc), fields: fields.collect() }
    });
    extra_groups().chain(defined)
}

/// Returns additional groups and fields that the follower reports and the definitions do not contain.
fn extra_groups() -> impl Iterator<Item = GroupName> {
    const GROUPS: &[GroupRow] = &[
        (
            Layer::Packet,
            "packet",
            "A datagram, or the content of one frame of a stream.",
            &[
                (
                    "repeated",
                    "bool",
                    "The number of the packet was seen before: it was resent, or the network made a copy.",
                ),
                (
                    "round_trip",
                    "milliseconds",
                    "Time since the heartbeat that this answers, measured at the capture.",
                ),
                (
                    "user_bits",
                    "integer",
                    "Number of bits of the application's payload; up to 7 of them are padding.",
                ),
            ],
        ),
        (
            Layer::Packet,
            "run",
            "The next bytes of one direction of a TCP connection.",
            &[
                ("offset", "integer", "Number of earlier bytes of this direction."),
                ("bytes", "bytes", "The bytes, if it is not known where a frame begins."),
            ],
        ),
        (
            Layer::Packet,
            "frame",
            "",
            &[
                ("part", "bytes", "Part of a frame that ends in a later run."),
                ("opcode", "integer", "Type of a frame of a WebSocket, by name."),
            ],
        ),
        (
            Layer::Packet,
            "upgrade",
            "The HTTP request that opens a WebSocket, or its response.",
            &[("head", "text", "The bytes of this run.")],
        ),
    ];
    table_groups(NAME, GROUPS, field)
}

/// Returns a user's own messages, and the groups of their structs and vectors. Such a group has the name of the field
/// that contains it.
pub(super) fn messages(layouts: &MessageLayouts) -> impl Iterator<Item = GroupName> {
    let messages = layouts.messages().iter().map(|message| {
        let mut fields = plain(&message.fields);
        fields.push(field("extra_bytes", "Bytes", "Bytes after the last field."));
        group(Layer::Message, message.name, &message.doc, fields)
    });
    let holders = layouts.messages().iter().map(|message| message.fields.as_slice());
    let holders = holders.chain(layouts.structs().map(|(_, fields)| fields));
    let parts = holders.flatten().filter_map(|holder| {
        let layer = if holder.is_list() { Layer::List } else { Layer::Group };
        let fields = match layouts.struct_fields(holder) {
            Some(parts) => plain(parts),
            None if holder.components().is_empty() => return None,
            None => holder.components().iter().map(|axis| field(axis, "f32", "")).collect(),
        };
        Some(group(layer, holder.name, &holder.doc, fields))
    });
    messages.chain(parts)
}

/// Returns the fields that are not groups. Vectors and structs are groups, except in lists.
fn plain(fields: &[FieldLayout]) -> Vec<FieldName> {
    let names = fields.iter().map(|field| FieldName {
        name: field.name.into(),
        kind: field.type_name.clone(),
        values: values(field),
        // A list of bytes is reported as one value.
        is_list: field.is_list() && field.field_type != FieldType::Scalar(Scalar::Byte),
        words: Vec::new(),
        doc: field.doc.clone(),
    });
    names.collect()
}

/// Returns the type of the values of a user's own field.
fn values(field: &FieldLayout) -> FieldValues {
    match field.field_type {
        FieldType::String => FieldValues::Text,
        FieldType::Vector(_) | FieldType::Struct(_) => FieldValues::Other,
        FieldType::Scalar(scalar) => match scalar {
            Scalar::Byte if field.is_list() => FieldValues::Bytes,
            Scalar::Bool => FieldValues::Bool,
            Scalar::Byte => FieldValues::Uint(8),
            Scalar::SByte => FieldValues::Int(8),
            Scalar::Short => FieldValues::Int(16),
            Scalar::UShort => FieldValues::Uint(16),
            Scalar::Int => FieldValues::Int(32),
            Scalar::UInt => FieldValues::Uint(32),
            Scalar::Long | Scalar::VarLong => FieldValues::Int(64),
            Scalar::ULong | Scalar::VarULong | Scalar::Bits(_) => FieldValues::Uint(64),
            Scalar::Float | Scalar::Double => FieldValues::Float,
        },
    }
}

fn group(layer: Layer, name: &'static str, doc: &str, fields: Vec<FieldName>) -> GroupName {
    GroupName { protocol: NAME, layer, name: name.into(), doc: doc.into(), fields }
}

/// Returns the fields that every group of a kind has.
pub(super) fn common() -> impl Iterator<Item = CommonField> {
    let field = field("header", "Header", "The number at the start of the packet, by name.");
    [CommonField { protocol: NAME, layer: Layer::Message, field }].into_iter()
}

/// Returns a field with its type in words.
fn field(name: &'static str, kind: &str, doc: &str) -> FieldName {
    FieldName {
        name: name.into(),
        kind: riptide_type(kind),
        values: values_of(kind),
        is_list: is_list(kind),
        words: Vec::new(),
        doc: doc.into(),
    }
}

/// Returns a type in words.
fn riptide_type(kind: &str) -> String {
    match kind {
        "Byte" => "integer 0..=255".into(),
        "Ushort" | "MessageId" => "integer 0..=65535".into(),
        "Short" => "integer".into(),
        "Bits8" | "Bits16" => "bits".into(),
        "Bool" => "boolean".into(),
        // The type of a frame's prefix names its width, which does not limit the value.
        kind if kind.contains("signed") => "integer".into(),
        "Payload" => "bytes".into(),
        other => describe_type(other),
    }
}
