use std::collections::{HashMap, HashSet};

use super::difference::Differences;
use super::notes::{self, described, field_id};
use super::renames::with_old_names;
use crate::ir::{Packet, Protocol};

/// Returns the differences of two versions on the wire. Packets and fields are matched by name, or by
/// number and position if only the name changed. Names, aliases, comments and C types other than `bool`
/// make no difference.
#[must_use]
pub fn compare(old: &Protocol, new: &Protocol) -> Differences {
    let (new, renamed) = &with_old_names(old, new);
    let mut differences = Differences { list: Vec::new(), renamed: renamed.clone() };
    let old_names: HashSet<&str> = old.packets.iter().map(|packet| packet.name.as_str()).collect();
    let new_packets: HashMap<&str, &Packet> =
        new.packets.iter().map(|packet| (packet.name.as_str(), packet)).collect();
    for packet in &old.packets {
        match new_packets.get(packet.name.as_str()) {
            Some(now) => compare_packets(packet, now, old, new, &mut differences),
            None => differences.add(&packet.name, None, format!("removed: number {}", packet.number)),
        }
    }
    for packet in new.packets.iter().filter(|packet| !old_names.contains(packet.name.as_str())) {
        let what = format!("added: number {}, {} fields", packet.number, packet.fields.len());
        differences.add(&packet.name, None, what);
    }
    differences
}

fn compare_packets(
    old: &Packet,
    new: &Packet,
    old_protocol: &Protocol,
    new_protocol: &Protocol,
    differences: &mut Differences,
) {
    let mut compare = |what: &str, was: String, is: String| {
        if was != is {
            differences.add(&old.name, None, format!("{what}: {was} -> {is}"));
        }
    };
    compare("number", old.number.to_string(), new.number.to_string());
    let sender = |packet: &Packet| notes::sender(packet.directions).to_owned();
    compare("sender", sender(old), sender(new));
    compare("flags", list(notes::flags(old)), list(notes::flags(new)));
    compare("cancels", cancels(old, old_protocol), cancels(new, new_protocol));
    compare_fields(old, new, differences);
}

fn cancels(packet: &Packet, protocol: &Protocol) -> String {
    let names = packet.cancels.iter().filter_map(|number| protocol.packet(*number));
    let mut names: Vec<&str> = names.map(|packet| packet.name.as_str()).collect();
    names.sort_unstable();
    list(names)
}

fn list(words: Vec<&str>) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn compare_fields(old: &Packet, new: &Packet, differences: &mut Differences) {
    let old_indices = indices(old);
    let new_indices = indices(new);
    for field in &old.fields {
        match new_indices.get(field_id(field).as_str()).and_then(|&index| new.fields.get(index)) {
            Some(now) => {
                let (was, is) = (described(field, old), described(now, new));
                if was != is {
                    differences.add(&old.name, Some(&field.name), format!("{was} -> {is}"));
                }
            }
            None => {
                let what = format!("removed: {}", described(field, old));
                differences.add(&old.name, Some(&field.name), what);
            }
        }
    }
    for field in new.fields.iter().filter(|field| !old_indices.contains_key(field_id(field).as_str())) {
        differences.add(&old.name, Some(&field.name), format!("added: {}", described(field, new)));
    }
    let common = |packet: &Packet, other: &HashMap<String, usize>| -> Vec<String> {
        packet.fields.iter().map(field_id).filter(|id| other.contains_key(id)).collect()
    };
    let (was, is) = (common(old, &new_indices), common(new, &old_indices));
    if let Some((first, _)) = was.iter().zip(&is).find(|(was, is)| was != is) {
        let name = first.split(' ').next().unwrap_or_default();
        differences.add(&old.name, None, format!("the order of the fields differs, from `{name}` on"));
    }
}

fn indices(packet: &Packet) -> HashMap<String, usize> {
    packet.fields.iter().enumerate().map(|(index, field)| (field_id(field), index)).collect()
}
