use std::fmt;

use super::table::{code_list, escaped, table};
use super::versions::{Group, Versions, grouped};
use crate::ir::{ArrayDiff, Field, Info, Packet, Part, PartType, Protocol, Structure, WireType};

const DELTA: &str = "\
A packet is sent as its *bitvector*, its keys, and then every other field whose bit is set, in the order of the table.
Bit 0 is the lowest bit of the first byte. A field that is not sent has the value of the last packet of this type with
the same key, or zero. A *folded* field is a bool whose bit is its value; it is not in the body.
";

const TYPES: &str = "\
Integers are big-endian, in two's complement. Wire types carry their parameter: `string(48)` takes at most 48 bytes with
its NUL, and so does an `estring`; `bitvector(3)` is 3 bytes; `ufloat100` is a number times 100 in a uint32,
`sfloat100` in a sint32. `[10]` is ten elements, `[10:count]` has the number of elements in the field `count`, at most ten,
and `[*]` starts with its length. If `count` is not sent, it has its value of the last packet.
";

const NO_DELTA: &str = "* `no-delta`: there is no bitvector and no key; all fields are sent in order.";
const INFO: &str = "* `is-info`: not sent if the last packet with the same key is equal.";
const GAME_INFO: &str = "\
* `is-game-info`: not sent if the last packet with the same key is equal. Both sides forget these packets when the
  connection changes its player or becomes an observer.";
const FORCE: &str = "* `force`: a sender can send it even if it is equal.";
const END_255: &str = "\
An *array-diff* is sent as pairs of an index in one byte and the element, for every element that changed, and ends with
the byte 255 in place of an index.
";
const END_LENGTH: &str = "\
An *array-diff* is sent as pairs of an index and the element, for every element that changed or is new, and ends with
the number of elements in place of an index. An index takes one byte if the size is at most 255, otherwise two.
";

/// Wire types that consist of several values.
const COMPOSED: &[(WireType, &str)] = &[
    (
        WireType::Requirement,
        "uint8 kind, sint32 value, uint8 range, bool8 survives, bool8 present, bool8 quiet",
    ),
    (WireType::Worklist, "uint8 count, then `count` pairs of uint8 kind, uint8 id"),
    (WireType::ActionProbability, "uint8 minimum, uint8 maximum"),
    (
        WireType::UnitOrder,
        "uint8 order, uint8 activity, sint32 target, sint16 sub-target, uint8 action, sint8 direction",
    ),
    (
        WireType::CmParameter,
        "6 times sint16 minimal surplus, 4 bool8, 6 times uint16 factor, uint16 happy factor",
    ),
    (WireType::Uint8Vec8, "uint8 count, then `count` uint8 values"),
    (WireType::Uint16Vec8, "uint8 count, then `count` uint16 values"),
];

const VERSIONS: &str = "\
Where versions differ, the table has a column for each: the bit of the field, or `yes` where bits are not listed. The
column is empty if the version does not have the field.
";

/// Writes the explanation of the tables. Parts that no version uses are omitted.
pub(super) fn write_legend(f: &mut fmt::Formatter<'_>, versions: Versions<'_>) -> fmt::Result {
    writeln!(f, "\n## How packets are sent\n\n{DELTA}\n{TYPES}")?;
    if versions.0.len() > 1 {
        writeln!(f, "{VERSIONS}")?;
    }
    for (form, what) in [(ArrayDiff::End255, END_255), (ArrayDiff::EndLength, END_LENGTH)] {
        let uses = |protocol: &Protocol| fields(protocol).any(|field| field.diff == Some(form));
        let users = versions.0.iter().enumerate().filter(|(_, protocol)| uses(protocol));
        let users: Vec<usize> = users.map(|(position, _)| position).collect();
        if users.len() < versions.0.len() && !users.is_empty() {
            write!(f, "In {}: ", versions.label_list(&users))?;
        }
        if !users.is_empty() {
            writeln!(f, "{what}")?;
        }
    }
    let packets = || versions.0.iter().flat_map(|protocol| &protocol.packets);
    let has = |wanted: fn(&Packet) -> bool| packets().any(wanted);
    let flags = [
        (has(|packet| packet.no_delta), NO_DELTA),
        (has(|packet| packet.info == Info::Info), INFO),
        (has(|packet| packet.info == Info::GameInfo), GAME_INFO),
        (has(|packet| packet.force), FORCE),
    ];
    if flags.iter().any(|(is_used, _)| *is_used) {
        writeln!(f, "Flags of packets:\n")?;
        flags.iter().filter(|(is_used, _)| *is_used).try_for_each(|(_, what)| writeln!(f, "{what}"))?;
        writeln!(f)?;
    }
    let lists = grouped(versions.0.iter().map(|protocol| &protocol.capabilities).enumerate());
    if lists.iter().all(|group| group.value.is_empty()) {
        return Ok(());
    }
    writeln!(
        f,
        "Some fields depend on a capability that client and server share. Such packets have one set of bits per variant, in\n\
         the order of their capabilities:\n"
    )?;
    for Group { positions, value: capabilities } in &lists {
        let label =
            if lists.len() > 1 { format!("{}: ", versions.label_list(positions)) } else { String::new() };
        let names = if capabilities.is_empty() { "none".to_owned() } else { code_list(capabilities) };
        writeln!(f, "* {label}{names}")?;
    }
    Ok(())
}

fn fields(protocol: &Protocol) -> impl Iterator<Item = &Field> {
    protocol.packets.iter().flat_map(|packet| &packet.fields)
}

/// Writes the types in the tables. A type that has another definition in another version has a row for each.
pub(super) fn write_types(f: &mut fmt::Formatter<'_>, versions: Versions<'_>) -> fmt::Result {
    let types = |(position, protocol)| types_of(protocol).into_iter().map(move |row| (position, row));
    let mut groups = grouped(versions.0.iter().enumerate().flat_map(types));
    let names: Vec<String> = groups.iter().map(|group| group.value[0].clone()).collect();
    groups.sort_by_key(|group| names.iter().position(|known| *known == group.value[0]));
    let row = |Group { positions, value: [name, definition] }: Group<[String; 2]>| {
        let is_once = names.iter().filter(|known| **known == name).count() == 1;
        let label = if is_once { String::new() } else { format!("{}: ", versions.label_list(&positions)) };
        vec![name, format!("{label}{definition}")]
    };
    let rows: Vec<Vec<String>> = groups.into_iter().map(row).collect();
    if rows.is_empty() { Ok(()) } else { write!(f, "\n## Types\n\n{}", table(&["type", "definition"], rows)) }
}

/// Returns the name and the definition of each type in the tables of a protocol.
fn types_of(protocol: &Protocol) -> Vec<[String; 2]> {
    let aliases = protocol.aliases.iter().map(|alias| [escaped(&alias.name), format!("`{}`", alias.source)]);
    let composed = COMPOSED.iter().filter(|(wire, _)| fields(protocol).any(|field| field.wire == *wire));
    let composed = composed.map(|(wire, what)| [format!("`{wire}`"), (*what).to_owned()]);
    let mut types: Vec<[String; 2]> = aliases.chain(composed).collect();
    for field in fields(protocol) {
        let row = match (&field.structure, field.wire) {
            (Some(structure), _) => [format!("`{}`", structure.name), parts_of(structure)],
            (None, wire @ WireType::EndedList { end, max }) => {
                let what = format!("at most {max} uint8 values, and after fewer the end mark {end}");
                [format!("`{wire}`"), what]
            }
            (None, wire @ WireType::BitString { .. }) => {
                let what = "uint16 number of bits, then the bits, the lowest of each byte first";
                [format!("`{wire}`"), what.to_owned()]
            }
            _ => continue,
        };
        if !types.contains(&row) {
            types.push(row);
        }
    }
    types
}

/// Returns the types and names of the parts of a structure. A nested structure follows in parentheses.
fn parts_of(structure: &Structure) -> String {
    let part = |part: &Part| {
        let wire = match &part.part_type {
            PartType::Number(wire) => wire.to_string(),
            PartType::Structure(inner) => format!("{} ({})", inner.name, parts_of(inner)),
        };
        let times = part.count.map(|count| format!("{count} times ")).unwrap_or_default();
        format!("{times}{wire} {}", escaped(&part.name))
    };
    structure.parts.iter().map(part).collect::<Vec<_>>().join(", ")
}
