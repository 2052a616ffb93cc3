use std::fmt;

use super::fields::write_fields;
use super::table::{code_list, escaped, link};
use super::versions::{Group, PresentPacket, VersionedPacket, Versions, grouped};
use crate::emit::notes;
use crate::ir::{Packet, Protocol, Variant};

/// Maximum number of variants in the table of bits. Further variants are not listed separately.
pub(super) const MAX_SHOWN_VARIANTS: u64 = 4;

/// Writes a packet under a heading of this level.
pub(super) fn write_packet(
    f: &mut fmt::Formatter<'_>,
    packet: &VersionedPacket<'_>,
    versions: Versions<'_>,
    level: usize,
) -> fmt::Result {
    writeln!(f, "\n{} {}\n", "#".repeat(level), packet.name)?;
    if let Some(newest) = packet.newest().filter(|newest| !newest.doc.is_empty()) {
        writeln!(f, "{}\n", escaped(&newest.doc))?;
    }
    let missing = packet.missing();
    if !missing.is_empty() {
        writeln!(f, "Not in {}.", versions.label_list(&missing))?;
    }
    let of_version = |present: PresentPacket<'_>| {
        Some((present.position, sentences(present.packet, versions.0.get(present.position)?)))
    };
    let by_version: Vec<(usize, [Vec<String>; 3])> = packet.present().filter_map(of_version).collect();
    let mut differing = Vec::new();
    for kind in 0..3 {
        let of_kind = by_version.iter().filter_map(|(position, kinds)| Some((*position, kinds.get(kind)?)));
        let groups = grouped(of_kind);
        if let [only] = groups.as_slice() {
            only.value.iter().try_for_each(|sentence| writeln!(f, "{sentence}"))?;
        } else {
            differing.extend(groups.into_iter().filter(|group| !group.value.is_empty()));
        }
    }
    if !differing.is_empty() {
        writeln!(f)?;
    }
    for Group { positions, value: sentences } in differing {
        writeln!(f, "* {}: {}", versions.label_list(&positions), sentences.join(" "))?;
    }
    write_fields(f, packet, versions)
}

/// Returns the sentences about a packet, by kind: its number, the packets that it cancels, and its bitvector.
fn sentences(packet: &Packet, protocol: &Protocol) -> [Vec<String>; 3] {
    [vec![summary(packet)], cancels(packet, protocol), variants(packet)]
}

/// Returns the number, the sender and the flags of a packet.
fn summary(packet: &Packet) -> String {
    let sender = match notes::sender(packet.directions) {
        "both" => "the server and the client",
        "server" => "the server",
        _ => "the client",
    };
    let mut summary = format!("Number {}, sent by {sender}", packet.number);
    let flags = notes::flags(packet);
    if !flags.is_empty() {
        summary.push_str(&format!("; {}", code_list(&flags)));
    }
    summary.push_str(if packet.fields.is_empty() { ". It has no fields and no body." } else { "." });
    summary
}

/// Returns the packets that both sides forget with this one.
fn cancels(packet: &Packet, protocol: &Protocol) -> Vec<String> {
    let key = packet.fields.first().map_or("key", |field| field.name.as_str());
    let of = |packet: &Packet| link(&packet.name);
    let forgets = |number: &u16| protocol.packet(*number).map_or_else(|| number.to_string(), of);
    let mut sentences = Vec::new();
    if !packet.cancels.is_empty() {
        let names: Vec<String> = packet.cancels.iter().map(forgets).collect();
        sentences.push(format!("It makes both sides forget {} of the same `{key}`.", names.join(", ")));
    }
    let is_forgotten = |other: &&Packet| other.cancels.contains(&packet.number);
    let by: Vec<String> = protocol.packets.iter().filter(is_forgotten).map(of).collect();
    if !by.is_empty() {
        sentences.push(format!("It is forgotten with {} of the same key.", by.join(", ")));
    }
    sentences
}

/// Returns the length of the bitvector for each set of capabilities.
fn variants(packet: &Packet) -> Vec<String> {
    if packet.fields.is_empty() {
        return Vec::new();
    }
    if packet.variant_count() > MAX_SHOWN_VARIANTS {
        let count = packet.variant_count();
        return vec![format!("{count} variants, chosen by {}.", code_list(&packet.capabilities))];
    }
    if !packet.is_delta() {
        return Vec::new();
    }
    let variant = |variant| format!("The bitvector has {}{}.", size(&variant), condition(&variant));
    packet.variants().map(variant).collect()
}

fn size(variant: &Variant<'_>) -> String {
    let bits = variant.bits().count();
    let bytes = variant.bitvector_bytes();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!("{bits} bit{} in {bytes} byte{}", plural(bits), plural(bytes))
}

/// Returns the capabilities of a variant, or an empty text if there is only one variant.
fn condition(variant: &Variant<'_>) -> String {
    let all = &variant.packet().capabilities;
    let active = all.iter().enumerate().filter(|(index, _)| variant.mask().has(*index));
    let active: Vec<&String> = active.map(|(_, name)| name).collect();
    match (all.is_empty(), active.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!(" without {}", code_list(all)),
        (false, false) => format!(" with {}", code_list(&active)),
    }
}
