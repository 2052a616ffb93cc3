use std::fmt;

use super::contents::{write_contents, write_numbers};
use super::legend::write_legend;
use super::links::{title_of, topics};
use super::packet::write_packet;
use super::types::write_types;
use crate::emit::table::escaped;
use crate::ir::Protocol;

/// A protocol as a reference in Markdown: how packets are sent, a list of the packets, and the fields of
/// each packet, by topic if there are topics.
#[derive(Clone, Copy, Debug)]
pub struct Markdown<'a>(pub &'a Protocol);

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(protocol) = self;
        let title = if protocol.name.is_empty() { "Packets" } else { &protocol.name };
        writeln!(f, "# {}\n", escaped(title))?;
        let fields =
            protocol.packets.iter().fold(0_usize, |sum, packet| sum.saturating_add(packet.fields.len()));
        let packets = protocol.packets.len();
        let variants = protocol.variant_count();
        writeln!(f, "{packets} packets, {fields} fields, {variants} variants.\n")?;
        write_contents(f, protocol)?;
        write_legend(f, protocol)?;
        if protocol.topics.is_empty() {
            let mut packets = protocol.packets.iter();
            packets.try_for_each(|packet| write_packet(f, packet, protocol, 2))?;
        }
        for (topic, packets) in topics(protocol) {
            writeln!(f, "\n## {}\n\n{}", title_of(topic), escaped(&topic.doc))?;
            packets.iter().try_for_each(|packet| write_packet(f, packet, protocol, 3))?;
        }
        write_types(f, protocol)?;
        if protocol.topics.is_empty() { Ok(()) } else { write_numbers(f, protocol) }
    }
}
