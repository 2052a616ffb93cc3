//! Tables for Teeworlds: messages and objects by number, with the shapes of their fields.

use gamewire_teeworlds::{
    ExtendedCatalog, ExtendedMessageEntry, MessageEntry, VersionCatalog, definitions as all_definitions,
    extended, huffman_codes, versions, warnings,
};
use gamewire_wire::{Definition, FieldDefinition, Layer, Shape};

use crate::group::{Group, GroupField, Kind, merge, one_line, to_lua};
use crate::lua::Lua;

/// Returns the tables that `teeworlds/*.lua` use.
pub(crate) fn definitions() -> Lua {
    let versions = versions();
    let extended = extended();
    Lua::table([
        ("groups", to_lua(&merge(groups(&versions, &extended)))),
        ("versions", Lua::table(versions.iter().map(|known| (known.name, version(known))))),
        ("extended", extended_table(&extended)),
        ("codes", Lua::list(huffman_codes().flat_map(|(bits, length)| [i64::from(bits), i64::from(length)]))),
        ("warnings", Lua::table(warnings().iter().map(|known| (known.name, known.text.into())))),
    ])
}

fn version(known: &VersionCatalog) -> Lua {
    let message = |entry: &MessageEntry| {
        let mut table = message_table(entry.definition);
        if let (Lua::Table(entries), Some(sender)) = (&mut table, entry.sender) {
            entries.push(("sender".to_owned(), sender.name().into()));
        }
        (entry.id, table)
    };
    let fixed = known.objects.iter().filter(|object| object.is_size_fixed);
    let control = known.control.iter().map(|(id, message)| (*id, message_table(message)));
    let connless = known
        .connless
        .iter()
        .map(|(letters, message)| (String::from_utf8_lossy(letters), message_table(message)));
    let objects = known.objects.iter().map(|known| (known.id, sized_table(known.size, known.definition)));
    Lua::table([
        ("control", Lua::numbered(control)),
        ("connless", Lua::table(connless)),
        ("system", Lua::numbered(known.system.iter().map(message))),
        ("game", Lua::numbered(known.game.iter().map(message))),
        ("objects", Lua::numbered(objects)),
        ("sizes", Lua::numbered(fixed.map(|known| (known.id, Lua::count(known.size))))),
    ])
}

fn extended_table(known: &ExtendedCatalog) -> Lua {
    let messages = |list: &[ExtendedMessageEntry]| {
        Lua::table(list.iter().map(|entry| (uuid(entry.uuid), message_table(entry.definition))))
    };
    let objects =
        known.objects.iter().map(|entry| (uuid(entry.uuid), sized_table(entry.size, entry.definition)));
    Lua::table([
        ("system", messages(&known.system)),
        ("game", messages(&known.game)),
        ("objects", Lua::table(objects)),
    ])
}

/// Formats a UUID with four hyphens.
fn uuid(number: u128) -> String {
    let digits = format!("{number:032x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default().to_owned();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

fn message_table(definition: &Definition) -> Lua {
    Lua::table([("name", definition.name.into()), ("fields", fields(definition))])
}

fn sized_table(size: usize, definition: &Definition) -> Lua {
    Lua::table([("name", definition.name.into()), ("size", Lua::count(size)), ("fields", fields(definition))])
}

/// Returns the names and shapes of fields, in the form that `teeworlds/fields.lua` reads.
fn fields(definition: &Definition) -> Lua {
    Lua::List(
        definition
            .fields
            .iter()
            .map(|field| Lua::List(vec![field.name.into(), shape(&field.encoding.shape())]))
            .collect(),
    )
}

fn shape(of: &Shape) -> Lua {
    let with = |name: &str, key: &str, value: Lua| Lua::table([("type", name.into()), (key, value)]);
    match of {
        Shape::Int { .. } | Shape::Named(_) => "int".into(),
        Shape::Bool => "bool".into(),
        Shape::Flags(names) => with("flags", "names", Lua::list(names.iter().copied())),
        Shape::Scaled { names, scale } => Lua::table([
            ("type", "scaled".into()),
            ("scale", Lua::Int((*scale).into())),
            ("names", Lua::list(names.iter().copied())),
        ]),
        Shape::Text => "text".into(),
        Shape::TextToEnd => "text_to_end".into(),
        Shape::IntText(count) => with("int_text", "count", Lua::count(*count)),
        Shape::DecimalText => "decimal_text".into(),
        Shape::Header | Shape::Rest => "rest".into(),
        Shape::Padding => "padding".into(),
        Shape::SizedBytes => "sized_bytes".into(),
        Shape::Bytes(count) => with("bytes", "count", Lua::count(*count)),
        Shape::Unsigned(count) => with("unsigned", "count", Lua::count(*count)),
        Shape::Token => "token".into(),
        Shape::Uuid => "uuid".into(),
        Shape::Address => "address".into(),
        Shape::Inline(inner) => with("inline", "fields", fields(inner)),
        Shape::Group(inner) => with("group", "fields", fields(inner)),
        Shape::SizedInput(inner) => Lua::table([
            ("type", "sized_input".into()),
            ("count", Lua::count(int_count(inner))),
            ("fields", fields(inner)),
        ]),
        Shape::Custom(inner) => inner.name.into(),
        Shape::Array(count, inner) => {
            Lua::table([("type", "array".into()), ("count", Lua::count(*count)), ("of", shape(inner))])
        }
        Shape::List(inner) => with("list", "of", shape(inner)),
        Shape::Optional(inner) => with("optional", "of", shape(inner)),
    }
}

/// Returns the number of integers of a structure.
fn int_count(definition: &Definition) -> usize {
    definition.fields.iter().map(|field| shape_count(&field.encoding.shape())).sum()
}

fn shape_count(of: &Shape) -> usize {
    match of {
        Shape::Inline(inner) => int_count(inner),
        Shape::Array(count, inner) => count.saturating_mul(shape_count(inner)),
        Shape::IntText(count) => *count,
        _ => 1,
    }
}

/// Returns the groups of all definitions. The definitions of 0.7 are a variant, because a number can have another name
/// there.
fn groups(versions: &[VersionCatalog], extended: &ExtendedCatalog) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    groups.extend(all_definitions().take(2).map(header_group));
    groups.extend(traced_groups());
    for known in versions {
        let messages = known.system.iter().chain(&known.game).map(|entry| entry.definition);
        let control = known.control.iter().map(|(_, definition)| *definition);
        let connless = known.connless.iter().map(|(_, definition)| *definition);
        let all =
            messages.chain(control).chain(connless).chain(known.objects.iter().map(|entry| entry.definition));
        for definition in all {
            add_group(definition, definition.name, known.name, &mut groups);
        }
    }
    let messages = extended.system.iter().chain(&extended.game).map(|entry| entry.definition);
    for definition in messages.chain(extended.objects.iter().map(|entry| entry.definition)) {
        add_group(definition, definition.name, "", &mut groups);
    }
    groups
}

fn add_group(definition: &Definition, name: &str, variant: &'static str, groups: &mut Vec<Group>) {
    let mut group = Group { name: name.to_owned(), doc: one_line(definition.doc), fields: Vec::new() };
    for field in definition.fields {
        add_field(field, &field.encoding.shape(), variant, &mut group, groups);
    }
    group.fields.extend(common_fields(definition.layer));
    groups.push(group);
}

fn add_field(
    field: &FieldDefinition,
    of: &Shape,
    variant: &'static str,
    group: &mut Group,
    groups: &mut Vec<Group>,
) {
    let mut plain = |name: &str, kind| group.fields.push(GroupField::new(name, kind, one_line(field.doc)));
    match of {
        Shape::Int { .. } | Shape::DecimalText | Shape::Unsigned(_) => plain(field.name, Kind::Int),
        Shape::Bool => plain(field.name, Kind::Bool),
        Shape::Named(names) => group.fields.push(GroupField {
            names: names.iter().map(|(number, name)| (i64::from(*number), (*name).to_owned())).collect(),
            variant,
            ..GroupField::new(field.name, Kind::Int, one_line(field.doc))
        }),
        Shape::Flags(_) | Shape::Token => plain(field.name, Kind::Hex(8)),
        Shape::Scaled { names, .. } => {
            names.iter().for_each(|name| plain(name, Kind::Double));
            plain("further", Kind::Double);
        }
        Shape::Text | Shape::TextToEnd | Shape::IntText(_) | Shape::Uuid | Shape::Address => {
            plain(field.name, Kind::Text);
        }
        Shape::Header | Shape::Rest | Shape::SizedBytes | Shape::Bytes(_) => plain(field.name, Kind::Bytes),
        Shape::Padding => plain("padding", Kind::Bytes),
        Shape::Inline(inner) | Shape::SizedInput(inner) => {
            for field in inner.fields {
                add_field(field, &field.encoding.shape(), variant, group, groups);
            }
            if matches!(of, Shape::SizedInput(_)) {
                let mut own =
                    |name: &str, doc: &str| group.fields.push(GroupField::new(name, Kind::Int, doc));
                own("input_size", "Size of the input in bytes.");
                own("further", "Integers after the known ones.");
            }
        }
        Shape::Group(inner) => add_group(inner, field.name, variant, groups),
        // This is the only custom reader.
        Shape::Custom(_) => {
            plain("magic", Kind::Text);
            plain("token", Kind::Hex(8));
            plain("padding", Kind::Bytes);
        }
        Shape::Array(_, inner) | Shape::List(inner) | Shape::Optional(inner) => {
            add_field(field, inner, variant, group, groups);
        }
    }
}

/// Returns the fields that every group of a layer may have.
fn common_fields(layer: Layer) -> Vec<GroupField> {
    let field = |name: &str, kind, doc: &str| GroupField::new(name, kind, doc);
    match layer {
        Layer::Message => vec![
            field("system", Kind::Bool, "True for a system message, false for a game message."),
            field("message_id", Kind::Int, "Number of a message."),
            field("uuid", Kind::Text, "UUID of a message of DDNet."),
            field("control_id", Kind::Int, "Number of a control message."),
            field("letters", Kind::Text, "The letters that identify a browsing message."),
            field("extra_bytes", Kind::Bytes, "Bytes after the last field."),
            field("padding", Kind::Bytes, "Bytes that no game reads."),
            field("body", Kind::Bytes, "The bytes of an unknown message."),
        ],
        Layer::Item => vec![
            field("item_type", Kind::Int, "Number of an object's type."),
            field("item_id", Kind::Int, "Id of an object among those of its type."),
            field("uuid", Kind::Text, "UUID of an object of DDNet."),
            field("object", Kind::Text, "Name of the object that differs."),
            field("ints", Kind::Int, "The integers of an unknown object or of a difference."),
            field("further", Kind::Int, "Integers after the known ones."),
        ],
        _ => Vec::new(),
    }
}

/// Returns the group of a header. A hand-written reader reads its fields.
fn header_group(definition: &Definition) -> Group {
    let fields = definition.fields.iter().map(|field| {
        let kind = match field.kind {
            "bit" => Kind::Bool,
            "4 bytes" => Kind::Hex(8),
            "2 bytes" if field.name == "extra_token" => Kind::Hex(4),
            "2 bytes" | "bytes" => Kind::Bytes,
            _ => Kind::Int,
        };
        GroupField::new(field.name, kind, one_line(field.doc))
    });
    Group { name: definition.name.into(), doc: one_line(definition.doc), fields: fields.collect() }
}

/// Returns the groups that the follower traces without a definition.
fn traced_groups() -> Vec<Group> {
    let group = |name: &str, doc: &str, fields| Group { name: name.into(), doc: doc.into(), fields };
    let repeated =
        "The sequence number of the chunk was seen before: it was resent, or the network made a copy.";
    let deleted = "Items that are gone: type and id.";
    let message = || common_fields(Layer::Message);
    let item = || common_fields(Layer::Item);
    vec![
        group("chunk", "", vec![GroupField::new("repeated", Kind::Bool, repeated)]),
        group(
            "snapshot",
            "The items of a snapshot that changed.",
            vec![GroupField::new("deleted", Kind::Hex(8), deleted)],
        ),
        group("unknown_message", "A message that is not in the definitions.", message()),
        group("unknown_control", "A control message that is not in the definitions.", message()),
        group("unknown_connless", "A browsing message that is not in the definitions.", message()),
        group("unknown_item", "An object that is not in the definitions.", item()),
        group("type_declaration", "Declares the type of DDNet's objects with a UUID.", item()),
        group("difference", "A changed item of a snapshot whose base was not captured.", item()),
    ]
}
