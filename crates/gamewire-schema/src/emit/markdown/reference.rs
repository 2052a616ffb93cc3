use std::{fmt, slice};

use super::legend::{write_legend, write_types};
use super::packet::write_packet;
use super::table::{anchor, code_list, escaped, link, table, title_of};
use super::versions::{Group, PresentPacket, VersionedPacket, Versions, grouped};
use crate::emit::notes;
use crate::ir::Protocol;

/// A protocol as a reference document in Markdown: the encoding of packets, a list of the packets, and the fields of
/// each packet. If there are topics, packets are grouped by topic. Versions of a protocol share one document with
/// their differences.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Markdown<'a>(Versions<'a>);

impl<'a> Markdown<'a> {
    /// Returns the reference of a protocol.
    pub fn new(protocol: &'a Protocol) -> Self {
        Self::of_versions(slice::from_ref(protocol))
    }

    /// Returns the reference of versions of a protocol, from the oldest to the newest.
    pub fn of_versions(versions: &'a [Protocol]) -> Self {
        Self(Versions(versions))
    }
}

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(versions) = *self;
        let names = versions.0.iter().map(|protocol| protocol.name.as_str()).filter(|name| !name.is_empty());
        let names = names.collect::<Vec<&str>>().join(", ");
        writeln!(f, "# {}\n", if names.is_empty() { "Packets".to_owned() } else { escaped(&names) })?;
        write_counts(f, versions)?;
        if versions.newest().is_none_or(|protocol| protocol.topics.is_empty()) {
            let packets = versions.packets();
            write!(f, "{}", packet_table(versions, &packets))?;
            write_legend(f, versions)?;
            packets.iter().try_for_each(|packet| write_packet(f, packet, versions, 2))?;
            return write_types(f, versions);
        }
        write_contents(f, versions)?;
        write_legend(f, versions)?;
        for (topic, packets) in versions.topics() {
            writeln!(f, "\n## {}\n\n{}", title_of(topic), escaped(&topic.doc))?;
            packets.iter().try_for_each(|packet| write_packet(f, packet, versions, 3))?;
        }
        write_types(f, versions)?;
        write!(f, "\n## By number\n\n{}", packet_table(versions, &versions.packets()))
    }
}

/// Writes the numbers of packets, fields and variants.
fn write_counts(f: &mut fmt::Formatter<'_>, versions: Versions<'_>) -> fmt::Result {
    for (protocol, label) in versions.0.iter().zip(versions.labels()) {
        let fields = protocol.packets.iter().flat_map(|packet| &packet.fields).count();
        let (packets, variants) = (protocol.packets.len(), protocol.variant_count());
        let label = if versions.0.len() > 1 { format!("* {label}: ") } else { String::new() };
        writeln!(f, "{label}{packets} packets, {fields} fields, {variants} variants.")?;
    }
    writeln!(f)
}

/// Writes the table of contents.
fn write_contents(f: &mut fmt::Formatter<'_>, versions: Versions<'_>) -> fmt::Result {
    let rows = versions.topics().into_iter().map(|(topic, packets)| {
        let title = title_of(topic);
        let link = format!("[{title}](#{})", anchor(&title));
        vec![link, packets.len().to_string(), escaped(&topic.doc)]
    });
    write!(f, "{}", table(&["topic", "packets", "description"], rows))?;
    writeln!(f, "\nSee also the packets [by number](#by-number) and the [types](#types) in the tables.")
}

/// Returns a table of packets by number, with a column of versions if there are several.
fn packet_table(versions: Versions<'_>, packets: &[VersionedPacket<'_>]) -> String {
    let mut rows: Vec<(u16, Vec<String>)> = Vec::new();
    for versioned in packets {
        let cells = versioned.present().map(|PresentPacket { position, packet }| {
            let cells = [
                link(&packet.name),
                notes::sender(packet.directions).to_owned(),
                packet.fields.len().to_string(),
                code_list(&notes::flags(packet)),
            ];
            (position, (packet.number, cells))
        });
        for Group { positions, value: (number, cells) } in grouped(cells) {
            let version = (versions.0.len() > 1).then(|| versions.label_list(&positions));
            rows.push((number, [number.to_string()].into_iter().chain(version).chain(cells).collect()));
        }
    }
    // Without topics, the order of the definition is kept.
    if versions.newest().is_some_and(|protocol| !protocol.topics.is_empty()) {
        rows.sort_by_key(|(number, _)| *number);
    }
    let version = if versions.0.len() > 1 { &["versions"][..] } else { &[] };
    let head = [&["number"][..], version, &["packet", "sender", "fields", "flags"]].concat();
    table(&head, rows.into_iter().map(|(_, row)| row))
}
