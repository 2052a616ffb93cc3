use std::fmt;

use super::legend::{write_legend, write_types};
use super::table::{anchor, code_list, escaped, link, table, title_of, topics};
use crate::emit::notes;
use crate::ir::{Field, Packet, Protocol, Variant};

/// A protocol as a reference document in Markdown: the encoding of packets, a list of the packets, and the fields of
/// each packet. If there are topics, packets are grouped by topic.
#[derive(Clone, Copy, Debug)]
pub struct Markdown<'a>(pub &'a Protocol);

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(protocol) = self;
        let title = if protocol.name.is_empty() { "Packets" } else { &protocol.name };
        writeln!(f, "# {}\n", escaped(title))?;
        let fields = protocol.packets.iter().flat_map(|packet| &packet.fields).count();
        let packets = protocol.packets.len();
        let variants = protocol.variant_count();
        writeln!(f, "{packets} packets, {fields} fields, {variants} variants.\n")?;
        if protocol.topics.is_empty() {
            write!(f, "{}", packet_table(protocol.packets.iter()))?;
            write_legend(f, protocol)?;
            let mut packets = protocol.packets.iter();
            packets.try_for_each(|packet| write_packet(f, packet, protocol, 2))?;
            return write_types(f, protocol);
        }
        write_contents(f, protocol)?;
        write_legend(f, protocol)?;
        for (topic, packets) in topics(protocol) {
            writeln!(f, "\n## {}\n\n{}", title_of(topic), escaped(&topic.doc))?;
            packets.iter().try_for_each(|packet| write_packet(f, packet, protocol, 3))?;
        }
        write_types(f, protocol)?;
        let mut packets: Vec<&Packet> = protocol.packets.iter().collect();
        packets.sort_by_key(|packet| packet.number);
        write!(f, "\n## By number\n\n{}", packet_table(packets))
    }
}

/// Writes the table of contents.
fn write_contents(f: &mut fmt::Formatter<'_>, protocol: &Protocol) -> fmt::Result {
    let rows = topics(protocol).map(|(topic, packets)| {
        let title = title_of(topic);
        let link = format!("[{title}](#{})", anchor(&title));
        [link, packets.len().to_string(), escaped(&topic.doc)]
    });
    write!(f, "{}", table(["topic", "packets", "description"], rows))?;
    writeln!(f, "\nSee also the packets [by number](#by-number) and the [types](#types) in the tables.")
}

fn packet_table<'a>(packets: impl IntoIterator<Item = &'a Packet>) -> String {
    let rows = packets.into_iter().map(|packet| {
        let number = packet.number.to_string();
        let fields = packet.fields.len().to_string();
        let sender = notes::sender(packet.directions).to_owned();
        [number, link(packet), sender, fields, code_list(&notes::flags(packet))]
    });
    table(["number", "packet", "sender", "fields", "flags"], rows)
}

/// Maximum number of variants in the table of bits. Further variants are not listed separately.
const MAX_SHOWN_VARIANTS: u64 = 4;

/// Writes a packet under a heading of this level.
fn write_packet(
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
    writeln!(f, "{}", if packet.fields.is_empty() { ". It has no fields and no body." } else { "." })?;
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

/// Writes the fields of a packet, with their bits if the packet has a bitvector.
fn write_fields(f: &mut fmt::Formatter<'_>, packet: &Packet) -> fmt::Result {
    let rows = packet.fields.iter().map(|field| columns(field, packet));
    if !packet.is_delta() || packet.variant_count() > MAX_SHOWN_VARIANTS {
        return write!(f, "{}", table(["field", "wire type", "type", "description"], rows));
    }
    let rows = bits(packet)
        .into_iter()
        .zip(rows)
        .map(|(bit, [name, wire, of, description])| [bit, name, wire, of, description]);
    write!(f, "{}", table(["bit", "field", "wire type", "type", "description"], rows))
}

fn columns(field: &Field, packet: &Packet) -> [String; 4] {
    let mut description = Vec::new();
    description.extend(packet.is_folded(field).then(|| "folded".to_owned()));
    description.extend(field.diff.map(|_| "array-diff".to_owned()));
    description.extend(field.add_caps.iter().map(|name| format!("only with `{name}`")));
    description.extend(field.remove_caps.iter().map(|name| format!("only without `{name}`")));
    let mut description = description.join(", ");
    if !field.doc.is_empty() {
        description.push_str(if description.is_empty() { "" } else { ": " });
        description.push_str(&escaped(&field.doc));
    }
    let wire = format!("`{}`", notes::wire(field, packet));
    [format!("`{}`", field.name), wire, escaped(type_name(field)), description]
}

/// Returns the alias of a field's type, or its C type if there is no alias.
fn type_name(field: &Field) -> &str {
    let is_alias = !field.type_name.is_empty() && !field.type_name.contains('(');
    if is_alias { &field.type_name } else { &field.c_type }
}

/// Returns the bit of every field, or `key` for a key. If variants differ, returns the bit in each of them.
fn bits(packet: &Packet) -> Vec<String> {
    let variants: Vec<Vec<usize>> = packet.variants().map(|variant| variant.bits().collect()).collect();
    let shown = |(index, field): (usize, &Field)| {
        if field.key {
            return "key".to_owned();
        }
        let bit = |bits: &Vec<usize>| bits.binary_search(&index).ok();
        let mut bits: Vec<Option<usize>> = variants.iter().map(bit).collect();
        if bits.windows(2).all(|pair| pair.first() == pair.last()) {
            bits.truncate(1);
        }
        let shown = bits.iter().map(|bit| bit.map_or_else(|| "-".to_owned(), |bit| bit.to_string()));
        shown.collect::<Vec<String>>().join(" / ")
    };
    packet.fields.iter().enumerate().map(shown).collect()
}
