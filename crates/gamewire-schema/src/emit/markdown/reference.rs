use std::fmt;

use super::contents::{write_contents, write_numbers};
use super::legend::write_legend;
use super::packet::write_packet;
use super::types::write_types;
use crate::emit::table::escaped;
use crate::ir::{Packet, Protocol, Topic};

/// A protocol as a reference to read: how packets are sent, a list of them, then for each a table of
/// its fields, by topic where there are topics.
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

/// The topics that have packets, and these.
pub(super) fn topics(protocol: &Protocol) -> impl Iterator<Item = (&Topic, Vec<&Packet>)> {
    let topics = protocol.topics.iter().map(|topic| {
        let packets = protocol.packets.iter().filter(|packet| packet.topic == topic.name);
        (topic, packets.collect::<Vec<&Packet>>())
    });
    topics.filter(|(_, packets)| !packets.is_empty())
}

/// The heading of a topic: `ruleset_city` is `Ruleset: city`.
pub(super) fn title_of(topic: &Topic) -> String {
    let mut title = String::with_capacity(topic.name.len());
    for (number, word) in topic.name.split('_').enumerate() {
        if number == 0 {
            let mut letters = word.chars();
            title.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            title.push_str(letters.as_str());
        } else {
            title.push_str(if number == 1 { ": " } else { " " });
            title.push_str(word);
        }
    }
    escaped(&title)
}

/// What a heading is linked to by.
pub(super) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A packet by its name, linked to where it is told of.
pub(super) fn link(packet: &Packet) -> String {
    format!("[{}](#{})", packet.name, anchor(&packet.name))
}
