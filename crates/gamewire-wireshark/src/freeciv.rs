//! Tables for Freeciv: the packets of each version.

use gamewire_freeciv::delta::{label, parts};
use gamewire_freeciv::follow::{Definitions, warning};
use gamewire_schema::ir::{ArrayDiff, Count, Dim, Field, Info, Packet, PartNumber, Protocol, WireType};

use crate::group::{Group, GroupField, Kind, merge, to_lua};
use crate::lua::Lua;

/// Returns the tables that `freeciv/*.lua` use, for the `given` definitions, or for the built-in ones if none are
/// given.
pub(crate) fn definitions(given: &[Protocol]) -> Lua {
    let shipped = Definitions::shipped();
    let shipped = shipped.iter().map(|definition| definition.protocol().as_ref());
    let protocols: Vec<&Protocol> = if given.is_empty() { shipped.collect() } else { given.iter().collect() };
    let packets = protocols.iter().flat_map(|protocol| &protocol.packets);
    let groups = merge(traced_groups().into_iter().chain(packets.flat_map(groups)));
    Lua::table([
        ("groups", to_lua(&groups)),
        (
            "warnings",
            Lua::table(
                [warning::UNKNOWN_VERSION, warning::ASSUMED_CAPABILITIES]
                    .map(|known| (known.name, known.text.into())),
            ),
        ),
        ("is_given", (!given.is_empty()).into()),
        ("protocols", Lua::List(protocols.iter().map(|protocol| definition(protocol)).collect())),
    ])
}

fn definition(protocol: &Protocol) -> Lua {
    let packets = protocol.packets.iter().map(|packet| (packet.number, packet_table(packet)));
    Lua::table([
        ("name", protocol.name.as_str().into()),
        ("capabilities", Lua::list(protocol.capabilities.iter().map(String::as_str))),
        ("packets", Lua::numbered(packets)),
    ])
}

fn packet_table(packet: &Packet) -> Lua {
    let mut entries = vec![
        ("number", Lua::Int(packet.number.into())),
        ("name", label(&packet.name).into()),
        ("to_client", packet.directions.to_client.into()),
        ("to_server", packet.directions.to_server.into()),
        ("delta", packet.is_delta().into()),
        ("game_info", (packet.info == Info::GameInfo).into()),
    ];
    if !packet.cancels.is_empty() {
        entries.push(("cancels", Lua::list(packet.cancels.iter().map(|number| i64::from(*number)))));
    }
    entries.push(("fields", Lua::List(packet.fields.iter().map(field_table).collect())));
    Lua::table(entries)
}

fn field_table(field: &Field) -> Lua {
    let reader = ElementReader::of(field);
    let mut entries = vec![("name", Lua::from(field.name.as_str())), ("type", reader.name.into())];
    entries.extend(reader.parameter.map(|Parameter { name, value }| (name, Lua::Int(value.into()))));
    if let WireType::EndedList { end, .. } = field.wire {
        entries.push(("mark", Lua::Int(end.into())));
    }
    let parts = parts(field);
    if !parts.is_empty() {
        let parts = parts.iter().map(|part| Lua::list([part.name.as_str(), part.wire.word()]));
        entries.push(("parts", Lua::List(parts.collect())));
    }
    if !field.dims.is_empty() {
        entries.push(("dims", Lua::List(field.dims.iter().map(dim_table).collect())));
    }
    if field.is_bool() {
        entries.push(("bool", true.into()));
    }
    if field.key {
        entries.push(("key", true.into()));
    }
    if let Some(diff) = field.diff {
        let name = match diff {
            ArrayDiff::End255 => "end-255",
            ArrayDiff::EndLength => "end-length",
        };
        entries.push(("diff", name.into()));
    }
    let caps = [("add", &field.add_caps), ("remove", &field.remove_caps)];
    for (name, caps) in caps.into_iter().filter(|(_, caps)| !caps.is_empty()) {
        entries.push((name, Lua::list(caps.iter().map(String::as_str))));
    }
    Lua::table(entries)
}

/// Returns the number of elements: `"fixed"`, `"own"` or the position of the field that holds it.
fn dim_table(dim: &Dim) -> Lua {
    let count = match dim.count {
        Count::Fixed => "fixed".into(),
        Count::Own => "own".into(),
        Count::Field(index) => Lua::count(index.saturating_add(1)),
    };
    Lua::table([("limit", Lua::Int(dim.limit.into())), ("count", count)])
}

/// A reader in `freeciv/elements.lua`.
struct ElementReader {
    name: &'static str,
    parameter: Option<Parameter>,
}

/// A parameter of a reader.
struct Parameter {
    name: &'static str,
    value: u32,
}

impl ElementReader {
    /// Returns the reader of the elements of a field.
    fn of(field: &Field) -> Self {
        let plain = |name| Self { name, parameter: None };
        let with =
            |name, parameter, value| Self { name, parameter: Some(Parameter { name: parameter, value }) };
        match field.wire {
            // A boolean must be 0 or 1 at any width.
            WireType::Uint32 | WireType::Sint32 if field.is_bool() => plain("bool32"),
            WireType::Uint8 | WireType::Sint8 if field.is_bool() => plain("bool8"),
            WireType::Ufloat { factor } => with("ufloat", "factor", factor),
            WireType::Sfloat { factor } => with("sfloat", "factor", factor),
            WireType::Bitvector { bytes } => with("bits", "size", bytes),
            WireType::String { size } | WireType::Estring { size } => with("text", "size", size),
            WireType::Requirement
            | WireType::UnitOrder
            | WireType::CmParameter
            | WireType::ActionProbability
            | WireType::Structure => plain("parts"),
            WireType::EndedList { max, .. } => with("ended", "size", max),
            WireType::BitString { size } => with("bit_text", "size", size),
            WireType::Worklist | WireType::Uint8Vec8 | WireType::Uint16Vec8 => plain("counted"),
            other => plain(other.word()),
        }
    }
}

/// Returns the group of a packet, and the groups of its structures.
fn groups(packet: &Packet) -> Vec<Group> {
    let mut fields = Vec::new();
    let mut groups = Vec::new();
    for field in &packet.fields {
        let reader = ElementReader::of(field);
        let names = parts(field);
        if let [PartNumber { name, wire }] = names.as_slice()
            && name.is_empty()
        {
            fields.push(GroupField::new(field.name.as_str(), kind(wire.word()), one_line(&field.doc)));
        } else if names.is_empty() {
            fields.push(GroupField::new(field.name.as_str(), kind(reader.name), one_line(&field.doc)));
        } else {
            let parts =
                names.iter().map(|part| GroupField::new(part.name.as_str(), kind(part.wire.word()), ""));
            groups.push(Group {
                name: field.name.clone(),
                doc: one_line(&field.doc),
                fields: parts.collect(),
            });
        }
    }
    groups.insert(0, Group { name: label(&packet.name), doc: one_line(&packet.doc), fields });
    groups
}

fn one_line(doc: &str) -> String {
    crate::group::one_line(&doc.lines().collect::<Vec<_>>())
}

fn kind(type_name: &str) -> Kind {
    match type_name {
        "bool8" | "bool32" => Kind::Bool,
        "uint8" | "uint16" | "uint32" => Kind::Uint,
        "ufloat" | "sfloat" => Kind::Double,
        "text" | "bit_text" => Kind::Text,
        "ended" => Kind::Uint,
        "bits" | "memory" => Kind::Bytes,
        _ => Kind::Int,
    }
}

/// Returns the groups around packets that the follower traces.
fn traced_groups() -> [Group; 4] {
    let group = |name: &str, doc: &str, fields| Group { name: name.into(), doc: doc.into(), fields };
    let skipped = "Bytes that cannot be followed: after an error or a gap.";
    [
        group(
            "run",
            "The next bytes of one direction of a connection.",
            vec![GroupField::new("not_decoded", Kind::Bytes, skipped)],
        ),
        group(
            "chunk",
            "Packets that were compressed together.",
            vec![
                GroupField::new("inflated", Kind::Uint, "Number of bytes after decompression."),
                GroupField::new("not_decoded", Kind::Bytes, skipped),
            ],
        ),
        group(
            "frame",
            "One packet: its header, its bits and its fields.",
            vec![
                GroupField::new("length", Kind::Uint, "Number of bytes with the header."),
                GroupField::new("number", Kind::Uint, "Type of the packet."),
                GroupField::new("bits", Kind::Bytes, "The bits of the delta header: which fields are sent."),
                GroupField::new("set", Kind::Uint, "Numbers of the bits that are set."),
            ],
        ),
        group(
            "unknown_packet",
            "A packet whose type is not in the definition.",
            vec![GroupField::new("body", Kind::Bytes, "The bytes after its header.")],
        ),
    ]
}
