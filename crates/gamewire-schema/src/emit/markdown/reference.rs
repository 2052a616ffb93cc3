use std::fmt;

use super::legend::{write_legend, write_types};
use super::packet::write_packet;
use super::table::{anchor, code_list, escaped, link, table, title_of, topics};
use crate::emit::notes;
use crate::ir::{Packet, Protocol};

/// A protocol as a reference in Markdown: how packets are sent, a list of the packets, and the fields of
/// each packet, by topic if there are topics.
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
