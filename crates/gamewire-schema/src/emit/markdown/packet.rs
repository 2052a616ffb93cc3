use std::fmt;

use super::fields::{MAX_SHOWN_VARIANTS, write_fields};
use super::links::{code_list, link};
use crate::emit::notes;
use crate::emit::table::escaped;
use crate::ir::{Packet, Protocol, Variant};

/// Writes a packet under a heading of this level.
pub(super) fn write_packet(
    f: &mut fmt::Formatter<'_>,
    packet: &Packet,
    protocol: &Protocol,
    level: usize,
) -> fmt::Result {
    writeln!(f, "\n{} {}\n", "#".repeat(level), packet.name)?;
    if !packet.doc.is_empty() {
        writeln!(f, "{}\n", escaped(&packet.doc))?;
    }
    let sender = match notes::sender(packet.directions) {
        "both" => "the server and the client",
        "server" => "the server",
        _ => "the client",
    };
    write!(f, "Number {}, sent by {sender}", packet.number)?;
    let flags = notes::flags(packet);
    if !flags.is_empty() {
        write!(f, "; {}", code_list(&flags))?;
    }
    write!(f, ".")?;
    if packet.fields.is_empty() {
        writeln!(f, " It has no fields and no body.")?;
    } else {
        writeln!(f)?;
    }
    write_cancels(f, packet, protocol)?;
    if packet.fields.is_empty() {
        return Ok(());
    }
    write_variants(f, packet)?;
    writeln!(f)?;
    write_fields(f, packet)
}

fn write_cancels(f: &mut fmt::Formatter<'_>, packet: &Packet, protocol: &Protocol) -> fmt::Result {
    let key = packet.fields.first().map_or("key", |field| field.name.as_str());
    let forgets = |number: &u16| protocol.packet(*number).map_or_else(|| number.to_string(), link);
    if !packet.cancels.is_empty() {
        let names: Vec<String> = packet.cancels.iter().map(forgets).collect();
        writeln!(f, "It makes both sides forget {} of the same `{key}`.", names.join(", "))?;
    }
    let is_forgotten = |other: &&Packet| other.cancels.contains(&packet.number);
    let by: Vec<String> = protocol.packets.iter().filter(is_forgotten).map(link).collect();
    if !by.is_empty() {
        writeln!(f, "It is forgotten with {} of the same key.", by.join(", "))?;
    }
    Ok(())
}

/// Writes the length of the bitvector for each set of capabilities.
fn write_variants(f: &mut fmt::Formatter<'_>, packet: &Packet) -> fmt::Result {
    if packet.variant_count() > MAX_SHOWN_VARIANTS {
        let count = packet.variant_count();
        return writeln!(f, "{count} variants, chosen by {}.", code_list(&packet.capabilities));
    }
    if !packet.is_delta() {
        return Ok(());
    }
    for variant in packet.variants() {
        writeln!(f, "The bitvector has {}{}.", size(&variant), condition(&variant))?;
    }
    Ok(())
}

fn size(variant: &Variant<'_>) -> String {
    let bits = variant.bits().count();
    let bytes = variant.bitvector_bytes();
    let unit = |count: usize, one: &'static str, many: &'static str| if count == 1 { one } else { many };
    format!("{bits} {} in {bytes} {}", unit(bits, "bit", "bits"), unit(bytes, "byte", "bytes"))
}

/// Returns the capabilities of a variant; empty if there is only one variant.
fn condition(variant: &Variant<'_>) -> String {
    let all = &variant.packet().capabilities;
    let capabilities = all.iter().enumerate();
    let active: Vec<&String> =
        capabilities.filter(|(index, _)| variant.mask().has(*index)).map(|(_, name)| name).collect();
    match (all.is_empty(), active.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!(" without {}", code_list(all)),
        (false, false) => format!(" with {}", code_list(&active)),
    }
}
