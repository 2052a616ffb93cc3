//! Teeworlds' names and redundant fields.

use gamewire_machine::record::NodeRef;
use gamewire_machine::{ConversationSide, Follow as _, Instant, Record};
use gamewire_teeworlds::raw::definition::{Definition, FieldDefinition};
pub(super) use gamewire_teeworlds::raw::packet::MAX_DATAGRAM;
use gamewire_teeworlds::raw::{v06, v07, warning};
use gamewire_teeworlds::{Dialect, Follower};

use gamewire_wire::{Layer, Result, Shape, Span, Trace};

use super::catalog::{GroupRow, table_groups};
use super::type_names::{describe_type, is_list, joined, values_of};
use super::{CommonField, FieldName, FieldValues, GroupName};

/// The first word of its field names.
pub(super) const NAME: &str = "teeworlds";

/// Returns whether a field repeats the name of its message, or is padding.
pub(super) fn is_redundant(field: NodeRef<'_>) -> bool {
    matches!(
        field.name(),
        "system"
            | "message_id"
            | "uuid"
            | "control_id"
            | "letters"
            | "magic"
            | "padding"
            | "item_type"
            | "input_size"
            | "crc"
    )
}

/// Reports a datagram that is longer than [`MAX_DATAGRAM`]. Only a capture on the sending or the receiving machine
/// contains such datagrams, because the system passes several on as one.
pub(super) fn trace_merged<T: Trace>(data: &[u8], trace: &mut T) {
    trace.enter_source("datagram", data);
    trace.enter(Layer::Packet, "packet", Span::bytes(0, 0));
    trace.warning(Span::bytes(0, data.len()), &warning::MERGED_DATAGRAMS);
    trace.exit();
    trace.exit();
}

/// Reports a datagram of Teeworlds, of any length. The decoder is compiled in this crate, once.
pub fn trace_teeworlds_datagram(
    follower: &mut Follower,
    from: ConversationSide,
    datagram: &[u8],
    record: &mut Record,
) {
    follower.follow(Instant::ZERO, from, datagram, record);
}

/// Reports the fields of a message of Teeworlds, as it is inside a chunk. The decoder is compiled in this crate, once.
///
/// # Errors
/// [`CodecError`](gamewire_wire::CodecError) if a field is missing or broken. The record has it, too.
pub fn trace_teeworlds_message(dialect: Dialect, content: &[u8], record: &mut Record) -> Result<()> {
    dialect.trace_wire_message(content, record).map(drop)
}

/// Returns Teeworlds' headers, messages and objects.
pub(super) fn groups() -> impl Iterator<Item = GroupName> {
    let defined = gamewire_teeworlds::definitions().flat_map(|definition| {
        let Definition { layer, name, doc, .. } = *definition;
        let mut lists = Vec::new();
        let fields = fields(definition, &mut lists);
        lists.push(GroupName { protocol: NAME, layer, name: name.into(), doc: joined(doc), fields });
        lists
    });
    defined.chain(extra_groups())
}

/// Returns the fields of a definition, with the fields of its parts in their place. The members of a list are groups,
/// which are added to `lists`.
fn fields(definition: &Definition, lists: &mut Vec<GroupName>) -> Vec<FieldName> {
    let mut found = Vec::new();
    for FieldDefinition { name, kind, doc, encoding } in definition.fields {
        match encoding.shape().parts() {
            Some(parts) if kind.starts_with("List<") => {
                let fields = fields(parts, lists);
                let members = joined(parts.doc);
                lists.push(GroupName {
                    protocol: NAME,
                    layer: Layer::List,
                    name: (*name).into(),
                    doc: members,
                    fields,
                });
                let doc = joined(doc);
                found.push(FieldName { values: FieldValues::Other, ..field(name, kind, &doc) });
            }
            Some(parts) => found.extend(fields(parts, lists)),
            None => {
                let shape = encoding.shape();
                let plain = field(name, kind, &joined(doc));
                let values = values(&shape).unwrap_or(plain.values);
                found.push(FieldName { words: words(&shape), values, ..plain });
            }
        }
    }
    found
}

/// Returns the type of the values of a field, or `None` if hand-written code reads it.
fn values(shape: &Shape) -> Option<FieldValues> {
    Some(match shape {
        Shape::Header => return None,
        // Integers of any range have 32 bits. A number without named values is a tick, for example.
        Shape::Int { .. } | Shape::Unsigned(_) | Shape::DecimalText | Shape::Named([]) => {
            FieldValues::Int(32)
        }
        Shape::Bool => FieldValues::Bool,
        Shape::Text | Shape::TextToEnd | Shape::IntText(_) | Shape::Uuid => FieldValues::Text,
        Shape::Rest | Shape::Padding | Shape::SizedBytes | Shape::Bytes(_) => FieldValues::Bytes,
        Shape::List(inner) | Shape::Optional(inner) => return values(inner),
        _ => FieldValues::Other,
    })
}

/// Returns the names of the values or flags of a field.
fn words(shape: &Shape) -> Vec<&'static str> {
    match shape {
        Shape::Named(names) => names.iter().map(|(_, name)| *name).collect(),
        Shape::Flags(names) => names.to_vec(),
        Shape::Array(_, inner) | Shape::List(inner) | Shape::Optional(inner) => words(inner),
        _ => Vec::new(),
    }
}

/// Returns additional groups and fields that the follower reports and the definitions do not contain.
fn extra_groups() -> impl Iterator<Item = GroupName> {
    type FieldRow = (&'static str, &'static str, &'static str);
    const BODY: FieldRow = ("body", "Bytes", "Bytes after the message's id.");
    const GROUPS: &[GroupRow] = &[
        (
            Layer::Group,
            "snapshot",
            "The changes of a snapshot against its base.",
            &[("deleted", "[u32]", "Type and id of the deleted objects.")],
        ),
        (Layer::Item, "type_declaration", "Declares the UUID of one of DDNet's object types.", &[]),
        (Layer::Item, "unknown_item", "An object of an unknown type.", &[]),
        (
            Layer::Item,
            "difference",
            "An object as a delta against a base that the capture does not contain.",
            &[("object", "Text", "Name of the object, if its type is known.")],
        ),
        (Layer::Message, "unknown_message", "An unknown message.", &[BODY]),
        (Layer::Message, "unknown_control", "An unknown control message.", &[BODY]),
        (Layer::Message, "unknown_connless", "An unknown browsing message.", &[BODY]),
        (Layer::Message, "connect", "", &[("magic", "Text", "TKEN in DDNet's dialect.")]),
        (Layer::Message, "connect_accept", "", &[("magic", "Text", "TKEN in DDNet's dialect.")]),
        (
            Layer::Message,
            "input",
            "",
            &[("input_size", "i32", "Size of the following input in bytes; each integer is four bytes.")],
        ),
    ];
    let groups = table_groups(NAME, GROUPS, field);
    let numbers = v06::game::TUNE_PARAMS.iter().chain(v07::game::TUNE_PARAMS);
    let further = field("further", "f32", "A number after the known ones.");
    let fields = numbers.map(|name| field(name, "f32", "")).chain([further]).collect();
    let (layer, doc) = (Layer::Message, String::new());
    groups.chain([GroupName { protocol: NAME, layer, name: "tune_params".into(), doc, fields }])
}

fn field(name: &'static str, kind: &str, doc: &str) -> FieldName {
    FieldName {
        name: name.into(),
        kind: describe_type(kind),
        values: values_of(kind),
        is_list: is_list(kind),
        words: Vec::new(),
        doc: doc.into(),
    }
}

/// Returns additional fields that the follower reports and the definitions do not contain.
pub(super) fn common() -> impl Iterator<Item = CommonField> {
    const FIELDS: &[(Layer, &str, &str, &str)] = &[
        (
            Layer::Group,
            "repeated",
            "bool",
            "The sequence number of the chunk was seen before: it was resent, or the network made a copy.",
        ),
        (Layer::Message, "control_id", "u8", "The number of a control message."),
        (Layer::Message, "letters", "Text", "The letters that identify a browsing message."),
        (Layer::Message, "system", "bool", "True for a system message, false for a game message."),
        (Layer::Message, "message_id", "i32", "The number of a message."),
        (Layer::Message, "uuid", "Uuid", "The UUID of a message of DDNet."),
        (Layer::Message, "extra_bytes", "Bytes", "Bytes after the last field."),
        (Layer::Item, "item_type", "u16", "The number of an object's type."),
        (Layer::Item, "item_id", "u16", "The id of an object among those of its type."),
        (Layer::Item, "uuid", "Uuid", "The UUID of an object of DDNet."),
        (Layer::Item, "ints", "[i32]", "The integers of an unknown object or of a difference."),
        (Layer::Item, "further", "[i32]", "Integers after the known ones."),
    ];
    FIELDS.iter().map(|&(layer, name, kind, doc)| CommonField {
        protocol: NAME,
        layer,
        field: field(name, kind, doc),
    })
}
