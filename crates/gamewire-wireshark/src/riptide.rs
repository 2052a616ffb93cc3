//! Tables for Riptide: headers, reasons, and the message layouts of an application.

use std::collections::BTreeMap;

use gamewire_machine::Role;
use gamewire_riptide::layout::{Count, FieldLayout, FieldType, MessageKind, MessageLayouts, Scalar};
use gamewire_riptide::raw::{
    Header, Packet, V20, V21, Version, WARNINGS, definitions as packets, frame_prefix_len, packet_definitions,
};
use gamewire_riptide::{DisconnectReason, Format, RejectReason};
use gamewire_wire::Definition;

use crate::group::{Group, GroupField, Kind, merge, one_line, to_lua};
use crate::lua::Lua;

/// Returns the tables that `riptide/*.lua` use.
pub(crate) fn definitions(layouts: &MessageLayouts) -> Lua {
    let groups = packets().map(packet_group).chain(traced_groups()).chain(layout_groups(layouts));
    let groups = merge(groups);
    Lua::table([
        ("groups", to_lua(&groups)),
        ("versions", Lua::List(vec![version::<V21>(), version::<V20>()])),
        ("warnings", Lua::table(WARNINGS.iter().map(|warning| (warning.name, warning.text.into())))),
        ("messages", messages(layouts)),
    ])
}

fn version<V: Version>() -> Lua {
    Lua::table([
        ("name", V::NAME.into()),
        ("header_bits", Lua::count(V::HEADER_BITS)),
        ("frame_prefix", Lua::count(frame_prefix_len(V::FORMAT))),
        ("max_size", Lua::count(V::MAX_SIZE)),
        ("has_bits", V::HAS_BITS.into()),
        ("headers", Lua::list(V::HEADERS.iter().map(|header| header.name()))),
        (
            "reject_reasons",
            Lua::list(RejectReason::numbered(V::FORMAT).iter().filter_map(|reason| reason.name())),
        ),
        ("packets", packet_table::<V>()),
        ("names", packet_names::<V>()),
    ])
}

/// Returns the names and types of the fields of each packet.
fn packet_table<V: Version>() -> Lua {
    let fields =
        |packet: &Definition| packet.fields.iter().map(|field| Lua::list([field.name, field.kind])).collect();
    Lua::table(packet_definitions::<V>().map(|packet| (packet.name, Lua::List(fields(packet)))))
}

/// Returns the names of packets by header and sender.
fn packet_names<V: Version>() -> Lua {
    let headers = V::HEADERS.iter().copied().chain([Header::Unknown(u8::MAX)]);
    let name = |header, role| Packet::name_of(header, role).into();
    let by_sender =
        |header| Lua::table([Role::Client, Role::Server].map(|role| (role.name(), name(header, role))));
    Lua::table(headers.map(|header| (header.name(), by_sender(header))))
}

/// Returns the group of a packet. Some numbers have different names in 2.0 and 2.1.
fn packet_group(packet: &Definition) -> Group {
    let numbers = |name: &str, doc, [v21, v20]: [BTreeMap<i64, String>; 2]| GroupField {
        other_names: if v21 == v20 { BTreeMap::new() } else { [(V20::NAME, v20)].into() },
        names: v21,
        ..GroupField::new(name, Kind::Uint, doc)
    };
    let header = numbers(
        "header",
        "The number at the start of the packet, by name.".to_owned(),
        [V21::HEADERS, V20::HEADERS].map(|known| numbered(known.iter().map(|header| Some(header.name())))),
    );
    let is_frame = packet.name == "frame";
    let fields = packet.fields.iter().map(|field| {
        let doc = one_line(field.doc);
        let kind = match field.kind {
            "RejectReason" => {
                let known = [Format::V21, Format::V20].map(RejectReason::numbered);
                return numbers(
                    field.name,
                    doc,
                    known.map(|known| numbered(known.iter().map(|reason| reason.name()))),
                );
            }
            "DisconnectReason" => {
                let known = [Format::V21, Format::V20].map(DisconnectReason::numbered);
                return numbers(
                    field.name,
                    doc,
                    known.map(|known| numbered(known.iter().map(|reason| reason.name()))),
                );
            }
            "Byte" | "Ushort" | "MessageId" => Kind::Uint,
            "Short" => Kind::Int,
            "Bits8" => Kind::Hex(2),
            "Bits16" => Kind::Hex(4),
            "Bool" => Kind::Bool,
            _ if is_frame => Kind::Int,
            _ => Kind::Bytes,
        };
        GroupField::new(field.name, kind, doc)
    });
    let fields = Some(header).filter(|_| !is_frame).into_iter().chain(fields).collect();
    Group { name: packet.name.to_owned(), doc: one_line(packet.doc), fields }
}

fn numbered<'n>(names: impl Iterator<Item = Option<&'n str>>) -> BTreeMap<i64, String> {
    (0..).zip(names).filter_map(|(number, name)| Some((number, name?.to_owned()))).collect()
}

/// Returns the groups around packets that the follower traces.
fn traced_groups() -> [Group; 2] {
    let group = |name: &str, doc: &str, fields| Group { name: name.into(), doc: doc.into(), fields };
    [
        group(
            "packet",
            "A datagram, or the content of one frame of a stream.",
            vec![
                GroupField::new(
                    "user_bits",
                    Kind::Uint,
                    "Number of bits of the application's payload; up to 7 of them are padding.",
                ),
                GroupField::new(
                    "round_trip",
                    Kind::Double,
                    "Milliseconds since the heartbeat that this answers, measured at the capture.",
                ),
                GroupField::new(
                    "repeated",
                    Kind::Bool,
                    "The number of the packet was seen before: it was resent, or the network made a copy.",
                ),
            ],
        ),
        group(
            "run",
            "Bytes of a stream.",
            vec![GroupField::new(
                "bytes",
                Kind::Bytes,
                "The bytes, if it is not known where a frame begins.",
            )],
        ),
    ]
}

/// Returns the messages, by sender and kind.
fn messages(layouts: &MessageLayouts) -> Lua {
    let of = |role: Role| {
        let known = layouts.messages().iter().filter(|message| message.is_from(role));
        let (mut ids, mut kinds) = (Vec::new(), Vec::new());
        for message in known {
            let fields = fields(layouts, &message.fields, message.name);
            let value = Lua::table([("name", message.name.into()), ("fields", fields)]);
            match message.kind {
                MessageKind::Message(id) => ids.push((id, value)),
                MessageKind::Notify => kinds.push(("notify", value)),
                MessageKind::Connect => kinds.push(("connect", value)),
                MessageKind::Reject => kinds.push(("reject", value)),
                MessageKind::Kick => kinds.push(("kick", value)),
            }
        }
        Lua::table([("ids", Lua::numbered(ids)), ("kinds", Lua::table(kinds))])
    };
    Lua::table([("client", of(Role::Client)), ("server", of(Role::Server))])
}

/// Returns the fields in the form that `riptide/layout.lua` reads. `path` is the name of the group around them.
fn fields(layouts: &MessageLayouts, fields: &[FieldLayout], path: &str) -> Lua {
    Lua::List(
        fields
            .iter()
            .map(|field| {
                let group = format!("{path}.{}", field.name);
                let mut entries =
                    vec![("name", Lua::from(field.name)), ("type", type_name(field.field_type).into())];
                match field.field_type {
                    FieldType::Scalar(Scalar::Bits(count)) => entries.push(("size", Lua::Int(count.into()))),
                    FieldType::Vector(count) => {
                        entries.extend([("size", Lua::Int(count.into())), ("group", group.into())])
                    }
                    FieldType::Struct(_) => {
                        let inner = layouts.struct_fields(field).unwrap_or_default();
                        let inner = self::fields(layouts, inner, &group);
                        entries.extend([("fields", inner), ("group", group.into())]);
                    }
                    _ => {}
                }
                match field.count {
                    Count::One => {}
                    // A count of 0 means a length prefix.
                    Count::Prefixed => entries.push(("count", Lua::Int(0))),
                    Count::Fixed(count) => entries.push(("count", Lua::Int(count.into()))),
                }
                Lua::table(entries)
            })
            .collect(),
    )
}

const fn type_name(field_type: FieldType) -> &'static str {
    match field_type {
        FieldType::Scalar(scalar) => scalar.name(),
        FieldType::String => "string",
        FieldType::Vector(_) => "vector",
        FieldType::Struct(_) => "struct",
    }
}

/// Returns the groups of an application's messages.
fn layout_groups(layouts: &MessageLayouts) -> Vec<Group> {
    let mut groups = Vec::new();
    for message in layouts.messages() {
        add_layout_group(layouts, message.name, &message.doc, &message.fields, &mut groups);
        let extra = GroupField::new("extra_bytes", Kind::Bytes, "Bytes after the last field.");
        groups.push(Group { name: message.name.into(), doc: String::new(), fields: vec![extra] });
    }
    groups
}

fn add_layout_group(
    layouts: &MessageLayouts,
    path: &str,
    doc: &str,
    fields: &[FieldLayout],
    groups: &mut Vec<Group>,
) {
    let mut group = Group { name: path.into(), doc: doc.into(), fields: Vec::new() };
    for field in fields {
        let inner = format!("{path}.{}", field.name);
        let kind = match field.field_type {
            FieldType::Scalar(Scalar::Byte) if field.is_list() => Kind::Bytes,
            FieldType::Scalar(scalar) => match scalar {
                Scalar::Bool => Kind::Bool,
                Scalar::SByte | Scalar::Short | Scalar::Int => Kind::Int,
                Scalar::Byte | Scalar::UShort | Scalar::UInt => Kind::Uint,
                Scalar::Long | Scalar::VarLong => Kind::Int64,
                Scalar::ULong | Scalar::VarULong | Scalar::Bits(_) => Kind::Uint64,
                Scalar::Float => Kind::Float,
                Scalar::Double => Kind::Double,
            },
            FieldType::String => Kind::Text,
            FieldType::Vector(_) => {
                let components =
                    field.components().iter().map(|name| GroupField::new(*name, Kind::Float, ""));
                groups.push(Group { name: inner, doc: field.doc.clone(), fields: components.collect() });
                continue;
            }
            FieldType::Struct(_) => {
                let of = layouts.struct_fields(field).unwrap_or_default();
                add_layout_group(layouts, &inner, &field.doc, of, groups);
                continue;
            }
        };
        group.fields.push(GroupField::new(field.name, kind, &field.doc));
    }
    groups.push(group);
}
