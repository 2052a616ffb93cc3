use std::fmt;

use super::links::{anchor, code_list, link, title_of, topics};
use crate::emit::notes;
use crate::emit::table::{Table, escaped};
use crate::ir::{Packet, Protocol};

/// Writes the table of contents.
pub(super) fn write_contents(f: &mut fmt::Formatter<'_>, protocol: &Protocol) -> fmt::Result {
    if protocol.topics.is_empty() {
        return write!(f, "{}", table(protocol.packets.iter()));
    }
    let mut contents = Table::new(["topic", "packets", "description"]);
    for (topic, packets) in topics(protocol) {
        let title = title_of(topic);
        let link = format!("[{title}](#{})", anchor(&title));
        contents.row([link, packets.len().to_string(), escaped(&topic.doc)]);
    }
    write!(f, "{contents}")?;
    writeln!(f, "\nSee also the packets [by number](#by-number) and the [types](#types) in the tables.")
}

/// Writes a table of all packets by number.
pub(super) fn write_numbers(f: &mut fmt::Formatter<'_>, protocol: &Protocol) -> fmt::Result {
    let mut packets: Vec<&Packet> = protocol.packets.iter().collect();
    packets.sort_by_key(|packet| packet.number);
    writeln!(f, "\n## By number\n")?;
    write!(f, "{}", table(packets.into_iter()))
}

fn table<'a>(packets: impl Iterator<Item = &'a Packet>) -> Table<5> {
    let mut table = Table::new(["number", "packet", "sender", "fields", "flags"]);
    for packet in packets {
        let number = packet.number.to_string();
        let fields = packet.fields.len().to_string();
        let sender = notes::sender(packet.directions).to_owned();
        table.row([number, link(packet), sender, fields, code_list(&notes::flags(packet))]);
    }
    table
}
