use std::fmt;

use crate::emit::table::{Table, escaped};
use crate::ir::{Protocol, WireType};

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

/// Writes the types in the tables.
pub(super) fn write_types(f: &mut fmt::Formatter<'_>, protocol: &Protocol) -> fmt::Result {
    let is_used = |wire: WireType| {
        protocol.packets.iter().flat_map(|packet| &packet.fields).any(|field| field.wire == wire)
    };
    let composed: Vec<_> = COMPOSED.iter().filter(|(wire, _)| is_used(*wire)).collect();
    if protocol.aliases.is_empty() && composed.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n## Types\n")?;
    let mut table = Table::new(["type", "definition"]);
    for alias in &protocol.aliases {
        table.row([escaped(&alias.name), format!("`{}`", alias.source)]);
    }
    for (wire, what) in composed {
        table.row([format!("`{wire}`"), (*what).to_owned()]);
    }
    write!(f, "{table}")
}
