use std::collections::{HashMap, HashSet};

use super::difference::Rename;
use super::notes::{described, field_id};
use crate::ir::{Packet, Protocol};

/// Returns the newer protocol with the names of the older one if only a name changed: of a packet with
/// the same number, or of an equal field in the same position.
pub(super) fn with_old_names(old: &Protocol, new: &Protocol) -> (Protocol, Vec<Rename>) {
    let mut renamed = Vec::new();
    let mut protocol = new.clone();
    rename_packets(old, &mut protocol, &mut renamed);
    let by_name: HashMap<&str, &Packet> =
        old.packets.iter().map(|packet| (packet.name.as_str(), packet)).collect();
    for packet in &mut protocol.packets {
        if let Some(was) = by_name.get(packet.name.as_str()) {
            rename_fields(was, packet, &mut renamed);
        }
    }
    (protocol, renamed)
}

fn rename_packets(old: &Protocol, new: &mut Protocol, renamed: &mut Vec<Rename>) {
    let names = |protocol: &Protocol| -> HashSet<String> {
        protocol.packets.iter().map(|packet| packet.name.clone()).collect()
    };
    let (old_names, new_names) = (names(old), names(new));
    let removed = old.packets.iter().filter(|packet| !new_names.contains(&packet.name));
    let removed: HashMap<u16, &Packet> = removed.map(|packet| (packet.number, packet)).collect();
    for packet in new.packets.iter_mut().filter(|packet| !old_names.contains(&packet.name)) {
        let Some(was) = removed.get(&packet.number).filter(|was| is_rename(was, packet)) else { continue };
        let to = std::mem::replace(&mut packet.name, was.name.clone());
        renamed.push(Rename { packet: was.name.clone(), field: None, to });
    }
}

/// Returns whether two packets with one number are one packet under two names: at least half of their
/// fields are the same.
fn is_rename(one: &Packet, other: &Packet) -> bool {
    let fields = |packet: &Packet| -> HashSet<(String, String)> {
        packet.fields.iter().map(|field| (field_id(field), described(field, packet))).collect()
    };
    let (one_fields, other_fields) = (fields(one), fields(other));
    let common = one_fields.intersection(&other_fields).count();
    let max = one_fields.len().max(other_fields.len());
    one.directions == other.directions && common.saturating_mul(2) >= max
}

fn rename_fields(old: &Packet, new: &mut Packet, renamed: &mut Vec<Rename>) {
    let ids = |packet: &Packet| -> HashMap<String, usize> {
        packet.fields.iter().enumerate().map(|(index, field)| (field_id(field), index)).collect()
    };
    let (old_ids, new_ids) = (ids(old), ids(new));
    // Index in the newer packet of the next field of the older one, if only its name changed.
    let mut position = 0_usize;
    for field in &old.fields {
        if let Some(&index) = new_ids.get(&field_id(field)) {
            position = index.saturating_add(1);
            continue;
        }
        let Some(now) = new.fields.get(position) else { continue };
        if old_ids.contains_key(&field_id(now)) || described(field, old) != described(now, new) {
            continue;
        }
        if let Some(now) = new.fields.get_mut(position) {
            let to = std::mem::replace(&mut now.name, field.name.clone());
            renamed.push(Rename { packet: old.name.clone(), field: Some(field.name.clone()), to });
        }
        position = position.saturating_add(1);
    }
}
