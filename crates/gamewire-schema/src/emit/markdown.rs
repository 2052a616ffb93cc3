use std::fmt;

use super::notes;
use super::table::{Table, escaped};
use crate::ir::{Packet, Protocol};

/// A protocol as a reference to read: a list of the packets, then for each a table of its fields.
#[derive(Clone, Copy, Debug)]
pub struct Markdown<'a>(pub &'a Protocol);

/// The most variants of a packet that are told apart in its table.
const MAX_SHOWN_VARIANTS: u64 = 4;

const LEGEND: &str = "\
Integers are big-endian, in two's complement. A packet is sent as its *bitvector*, its keys, and then every other
field whose bit is set, in the order of the table; bit 0 is the lowest bit of the first byte. What is not sent has
the value of the last packet with the same keys, or zero. A *folded* field is a truth value that is its bit: nothing
of it follows. Packets marked `no-delta` have no bitvector, all their fields are sent.

Wire types carry their parameter: `string(48)` takes at most 48 bytes with its NUL, `bitvector(3)` is 3 bytes,
`ufloat100` is a number times 100 in a uint32. `[10]` is ten elements, `[10:count]` as many as the field `count` says
and at most ten, `[*]` has its own length in front.
";

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(protocol) = self;
        let title = if protocol.name.is_empty() { "Packets" } else { &protocol.name };
        let fields =
            protocol.packets.iter().fold(0_usize, |sum, packet| sum.saturating_add(packet.fields.len()));
        writeln!(f, "# {}\n", escaped(title))?;
        let packets = protocol.packets.len();
        writeln!(
            f,
            "{packets} packets, {fields} fields, {} variants.\n\n{LEGEND}",
            protocol.variant_count()
        )?;
        if !protocol.capabilities.is_empty() {
            writeln!(f, "Capabilities that choose variants: {}.\n", code_list(&protocol.capabilities))?;
        }
        let mut table = Table::new(["number", "packet", "sender", "fields", "flags"]);
        for packet in &protocol.packets {
            let link = format!("[{}](#{})", packet.name, packet.name.to_ascii_lowercase());
            let number = packet.number.to_string();
            let fields = packet.fields.len().to_string();
            let sender = notes::sender(packet.directions).to_owned();
            table.row([number, link, sender, fields, code_list(&notes::flags(packet))]);
        }
        write!(f, "{table}")?;
        protocol.packets.iter().try_for_each(|packet| write_packet(f, packet, protocol))
    }
}

fn write_packet(f: &mut fmt::Formatter<'_>, packet: &Packet, protocol: &Protocol) -> fmt::Result {
    writeln!(f, "\n## {}\n", packet.name)?;
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
    writeln!(f, ".")?;
    if !packet.cancels.is_empty() {
        let name = |number: &u16| match protocol.packet(*number) {
            Some(packet) => packet.name.clone(),
            None => number.to_string(),
        };
        let names: Vec<String> = packet.cancels.iter().map(name).collect();
        writeln!(f, "Forgets what was remembered of {} with the same key.", code_list(&names))?;
    }
    if packet.fields.is_empty() {
        return writeln!(f, "It has no fields.");
    }
    write_variants(f, packet)?;
    writeln!(f)?;
    write_fields(f, packet)
}

/// How long the bitvector is, with each set of capabilities.
fn write_variants(f: &mut fmt::Formatter<'_>, packet: &Packet) -> fmt::Result {
    if !packet.is_delta() {
        return Ok(());
    }
    if packet.variant_count() > MAX_SHOWN_VARIANTS {
        let count = packet.variant_count();
        return writeln!(f, "{count} variants, chosen by {}.", code_list(&packet.capabilities));
    }
    for variant in packet.variants() {
        let bits = variant.bits().count();
        let bytes = variant.bitvector_bytes();
        let unit = if bytes == 1 { "byte" } else { "bytes" };
        write!(f, "The bitvector has {bits} bits in {bytes} {unit}")?;
        let capabilities = packet.capabilities.iter().enumerate();
        let active: Vec<&String> =
            capabilities.filter(|(index, _)| variant.mask().has(*index)).map(|(_, name)| name).collect();
        match (packet.capabilities.is_empty(), active.is_empty()) {
            (true, _) => {}
            (false, true) => write!(f, " without {}", code_list(&packet.capabilities))?,
            (false, false) => write!(f, " with {}", code_list(&active))?,
        }
        writeln!(f, ".")?;
    }
    Ok(())
}

fn write_fields(f: &mut fmt::Formatter<'_>, packet: &Packet) -> fmt::Result {
    let mut table = Table::new(["bit", "field", "wire type", "type", "notes"]);
    let bits = bits(packet);
    for (index, field) in packet.fields.iter().enumerate() {
        let mut notes = Vec::new();
        notes.extend(field.key.then(|| "key".to_owned()));
        notes.extend(packet.is_folded(field).then(|| "folded".to_owned()));
        notes.extend(field.diff.map(|_| "array-diff".to_owned()));
        notes.extend(field.add_caps.iter().map(|name| format!("only with `{name}`")));
        notes.extend(field.remove_caps.iter().map(|name| format!("only without `{name}`")));
        if !field.doc.is_empty() {
            notes.push(escaped(&field.doc));
        }
        table.row([
            bits.get(index).cloned().unwrap_or_default(),
            format!("`{}`", field.name),
            format!("`{}`", notes::wire(field, packet)),
            escaped(&field.public),
            notes.join("; "),
        ]);
    }
    write!(f, "{table}")
}

/// The bit of every field, in each variant where they differ.
fn bits(packet: &Packet) -> Vec<String> {
    let mut bits = vec![String::new(); packet.fields.len()];
    if !packet.is_delta() || packet.variant_count() > MAX_SHOWN_VARIANTS {
        return bits;
    }
    let mut all: Vec<Vec<Option<usize>>> = vec![Vec::new(); packet.fields.len()];
    for variant in packet.variants() {
        let mut here = vec![None; packet.fields.len()];
        for (bit, index) in variant.bits().enumerate() {
            if let Some(place) = here.get_mut(index) {
                *place = Some(bit);
            }
        }
        all.iter_mut().zip(here).for_each(|(bits, bit)| bits.push(bit));
    }
    for (text, variants) in bits.iter_mut().zip(all) {
        let is_same = variants.windows(2).all(|pair| pair.first() == pair.last());
        let shown = if is_same { variants.get(..1).unwrap_or_default() } else { &variants };
        let shown = shown.iter().map(|bit| bit.map_or_else(|| "-".to_owned(), |bit| bit.to_string()));
        *text = shown.collect::<Vec<String>>().join(" / ");
    }
    bits
}

fn code_list(words: &[impl fmt::Display]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
