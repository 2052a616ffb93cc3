use std::collections::{HashMap, HashSet};
use std::{fmt, iter};

use super::advice::{Need, NewCapabilities, need_of_flags, need_of_sender, write_advice};
use super::notes;
use crate::ir::{ArrayDiff, Count, Field, Packet, Protocol, WireType};

/// One difference between two versions of a protocol on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the packet. If both versions have it, the name in the older version.
    pub packet: String,
    /// The field, or `None` if the difference concerns the whole packet.
    pub field: Option<String>,
    /// Description of the difference, such as `removed: number 12`.
    pub what: String,
    /// True if the field can only have more values or elements in the newer version.
    pub is_wider: bool,
    /// The capability that the change needs.
    pub need: Need,
}

/// A new name for a packet or field that is unchanged on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rename {
    /// Name of the packet in the older version.
    pub packet: String,
    /// Name of the field in the older version, or `None` if the packet itself is renamed.
    pub field: Option<String>,
    /// Name in the newer version.
    pub to: String,
}

/// All differences, packet by packet in the order of the older version. New packets are last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Differences on the wire.
    pub list: Vec<Difference>,
    /// Renames, which are not differences on the wire.
    pub renamed: Vec<Rename>,
    /// The mandatory capabilities of the newer version that the older one does not have, if both have capability
    /// strings. With one of them, no difference needs another capability.
    pub mandatory: Vec<String>,
}

impl Differences {
    fn add(&mut self, packet: &str, field: Option<&str>, what: String, need: Need) {
        let (packet, field) = (packet.to_owned(), field.map(str::to_owned));
        self.list.push(Difference { packet, field, what, is_wider: false, need });
    }

    /// Returns the fields that are only wider, grouped by the change.
    fn wider(&self) -> Vec<(&str, Vec<&Difference>)> {
        let mut by_change: Vec<(&str, Vec<&Difference>)> = Vec::new();
        for difference in self.list.iter().filter(|difference| difference.is_wider) {
            match by_change.iter_mut().find(|(what, _)| *what == difference.what) {
                Some((_, fields)) => fields.push(difference),
                None => by_change.push((&difference.what, vec![difference])),
            }
        }
        by_change
    }
}

/// Writes `PACKET_A -> PACKET_B` or `PACKET_A: field -> other`.
impl fmt::Display for Rename {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "{}: {field} -> {}", self.packet, self.to),
            None => write!(f, "{} -> {}", self.packet, self.to),
        }
    }
}

/// Writes the differences by packet, the fields that are only wider by change, the renames, the capabilities that the
/// changes need, and the total. The alternate form, `{:#}`, lists all fields.
impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = None;
        for difference in self.list.iter().filter(|difference| !difference.is_wider) {
            if last != Some(difference.packet.as_str()) {
                writeln!(f, "{}", difference.packet)?;
                last = Some(&difference.packet);
            }
            match &difference.field {
                Some(field) => writeln!(f, "  {field}: {}", difference.what)?,
                None => writeln!(f, "  {}", difference.what)?,
            }
        }
        let wider = self.wider();
        if !wider.is_empty() {
            writeln!(f, "fields that are only wider")?;
        }
        for (what, fields) in wider {
            writeln!(f, "  {what}: {}", listed(&fields, f.alternate()))?;
        }
        if !self.renamed.is_empty() {
            writeln!(f, "renamed, without a difference on the wire")?;
            self.renamed.iter().try_for_each(|rename| writeln!(f, "  {rename}"))?;
        }
        write_advice(f, &self.list, &self.mandatory)?;
        let packets: HashSet<&str> = self.list.iter().map(|difference| difference.packet.as_str()).collect();
        match (self.list.len(), packets.len()) {
            (0, _) => writeln!(f, "no difference on the wire"),
            (1, _) => writeln!(f, "1 difference on the wire"),
            (count, 1) => writeln!(f, "{count} differences on the wire, in 1 packet"),
            (count, packets) => writeln!(f, "{count} differences on the wire, in {packets} packets"),
        }
    }
}

/// Returns the names of all fields, or of the first ones with the number of the others.
pub(super) fn listed(fields: &[&Difference], all: bool) -> String {
    const SHOWN: usize = 4;
    let name = |difference: &&Difference| match &difference.field {
        Some(field) => format!("{}.{field}", difference.packet),
        None => difference.packet.clone(),
    };
    let mut names: Vec<String> = fields.iter().map(name).collect();
    // A packet can have several differences that are not in a field.
    names.dedup();
    let (count, shown) = (names.len(), if all { names.len() } else { SHOWN });
    names.truncate(shown);
    match count.checked_sub(shown) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names.join(", ")),
    }
}

/// Returns the differences between two versions on the wire. Packets and fields are matched by name, or by number and
/// position if only the name changed. Names, aliases, comments and C types other than `bool` are not compared.
pub fn compare(old: &Protocol, new: &Protocol) -> Differences {
    let mut differences = Differences::default();
    let capabilities = NewCapabilities::new(old, new);
    differences.mandatory.clone_from(&capabilities.mandatory);
    let new = &with_old_names(old, new, &mut differences.renamed);
    let (old_packets, new_packets) = (by_name(old), by_name(new));
    for packet in &old.packets {
        match new_packets.get(packet.name.as_str()) {
            Some(now) => compare_packets(
                PacketOf { packet, protocol: old },
                PacketOf { packet: now, protocol: new },
                &capabilities,
                &mut differences,
            ),
            None => {
                let what = format!("removed: number {}", packet.number);
                differences.add(&packet.name, None, what, Need::Mandatory);
            }
        }
    }
    for packet in new.packets.iter().filter(|packet| !old_packets.contains_key(packet.name.as_str())) {
        let what = format!("added: number {}, {} fields", packet.number, packet.fields.len());
        differences.add(&packet.name, None, what, Need::CheckBySender);
    }
    differences
}

fn by_name(protocol: &Protocol) -> HashMap<&str, &Packet> {
    protocol.packets.iter().map(|packet| (packet.name.as_str(), packet)).collect()
}

/// Returns the field indices by [`field_id`].
fn by_id(packet: &Packet) -> HashMap<String, usize> {
    packet.fields.iter().enumerate().map(|(index, field)| (field_id(field), index)).collect()
}

/// Returns the key to match fields: the name and the capabilities.
fn field_id(field: &Field) -> String {
    let added = field.add_caps.iter().map(|name| format!(" +{name}"));
    let removed = field.remove_caps.iter().map(|name| format!(" -{name}"));
    iter::once(field.name.clone()).chain(added).chain(removed).collect()
}

/// Describes everything about a field that affects the wire.
fn described(field: &Field, packet: &Packet) -> String {
    let mut words = vec![notes::wire_with_parts(field, packet)];
    words.extend(packet.is_folded(field).then(|| "folded".to_owned()));
    words.extend(field.key.then(|| "key".to_owned()));
    words.extend(field.diff.map(|_| "diff".to_owned()));
    words.extend(field.add_caps.iter().map(|name| format!("add-cap({name})")));
    words.extend(field.remove_caps.iter().map(|name| format!("remove-cap({name})")));
    words.extend((field.diff == Some(ArrayDiff::EndLength)).then(|| "ending with the length".to_owned()));
    words.join(" ")
}

/// A packet, and the protocol that defines it.
#[derive(Clone, Copy)]
struct PacketOf<'p> {
    packet: &'p Packet,
    protocol: &'p Protocol,
}

fn compare_packets(
    was: PacketOf<'_>,
    is: PacketOf<'_>,
    capabilities: &NewCapabilities<'_>,
    differences: &mut Differences,
) {
    let (old, new) = (was.packet, is.packet);
    let mut compare = |what: &str, was: String, is: String, need: Need| {
        if was != is {
            differences.add(&old.name, None, format!("{what}: {was} -> {is}"), need);
        }
    };
    compare("number", old.number.to_string(), new.number.to_string(), Need::Mandatory);
    let sender = |packet: &Packet| notes::sender(packet.directions).to_owned();
    compare("sender", sender(old), sender(new), need_of_sender(old, new));
    compare("flags", list(&notes::flags(old)), list(&notes::flags(new)), need_of_flags(old, new));
    compare("cancels", cancels(was), cancels(is), Need::Mandatory);
    compare_fields(old, new, capabilities, differences);
}

fn cancels(PacketOf { packet, protocol }: PacketOf<'_>) -> String {
    let names = packet.cancels.iter().filter_map(|number| protocol.packet(*number));
    let mut names: Vec<&str> = names.map(|packet| packet.name.as_str()).collect();
    names.sort_unstable();
    list(&names)
}

fn list(words: &[&str]) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn compare_fields(
    old: &Packet,
    new: &Packet,
    capabilities: &NewCapabilities<'_>,
    differences: &mut Differences,
) {
    let (old_groups, new_groups) = (forms(old), forms(new));
    for (name, was) in &old_groups {
        let now = new_groups.iter().find(|(now, _)| now == name).map(|(_, is)| is.as_slice());
        let text = described_forms(was, old);
        let (what, is_wider) = match now.map(|is| (is, described_forms(is, new))) {
            Some((_, is)) if text == is => continue,
            Some((is, now)) => (format!("{text} -> {now}"), is_wider(was, is)),
            None => (format!("removed: {text}"), false),
        };
        let need = capabilities.of_field((was, old), (now.unwrap_or_default(), new));
        let (packet, field) = (old.name.clone(), Some((*name).to_owned()));
        differences.list.push(Difference { packet, field, what, is_wider, need });
    }
    for (name, is) in new_groups.iter().filter(|(name, _)| old_groups.iter().all(|(was, _)| was != name)) {
        let need = capabilities.of_field((&[], old), (is, new));
        differences.add(&old.name, Some(name), format!("added: {}", described_forms(is, new)), need);
    }
    if let Some(name) = first_moved(old, new) {
        let what = format!("the order of the fields differs, from `{name}` on");
        differences.add(&old.name, None, what, Need::Mandatory);
    }
}

/// Returns the fields of a packet, grouped by field. Fields with the same name are forms of one field. If capabilities
/// select between them, their names can also end with a width.
fn forms(packet: &Packet) -> Vec<(&str, Vec<&Field>)> {
    let mut groups: Vec<(&str, Vec<&Field>)> = Vec::new();
    for field in &packet.fields {
        let name = field.base_name();
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, forms)) => forms.push(field),
            None => groups.push((name, vec![field])),
        }
    }
    groups
}

pub(super) fn described_forms(forms: &[&Field], packet: &Packet) -> String {
    let forms: Vec<String> = forms.iter().map(|field| described(field, packet)).collect();
    forms.join(" or ")
}

/// Returns whether a field can still have all values that it could have, and is otherwise unchanged.
fn is_wider(was: &[&Field], is: &[&Field]) -> bool {
    was.iter().all(|was| is.iter().all(|is| holds(is, was)))
}

fn holds(wide: &Field, narrow: &Field) -> bool {
    let is_same_array = wide.dims.len() == narrow.dims.len()
        && wide.dims.iter().zip(&narrow.dims).all(|(wide, narrow)| {
            wide.limit >= narrow.limit
                && matches!(wide.count, Count::Fixed) == matches!(narrow.count, Count::Fixed)
        });
    is_same_array
        && wide.structure == narrow.structure
        && (wide.key, wide.diff, wide.is_bool()) == (narrow.key, narrow.diff, narrow.is_bool())
        && match (wide.wire, narrow.wire) {
            (WireType::Bitvector { bytes: wide }, WireType::Bitvector { bytes: narrow }) => wide >= narrow,
            (WireType::String { size: wide }, WireType::String { size: narrow })
            | (WireType::Estring { size: wide }, WireType::Estring { size: narrow }) => wide >= narrow,
            (wide, narrow) if wide == narrow => true,
            (wide, narrow) => {
                let is_signed = |wire| matches!(wire, WireType::Sint8 | WireType::Sint16 | WireType::Sint32);
                wide.is_integer()
                    && narrow.is_integer()
                    && wide.fixed_bytes() > narrow.fixed_bytes()
                    && (is_signed(wide) || !is_signed(narrow))
            }
        }
}

/// Returns the name of the first field that is before another field in the older packet and after it in the newer one.
/// The order of fields that are never sent together does not affect the wire.
fn first_moved<'a>(old: &'a Packet, new: &Packet) -> Option<&'a str> {
    let new_ids = by_id(new);
    let common: Vec<(&Field, usize)> =
        old.fields.iter().filter_map(|field| Some((field, *new_ids.get(&field_id(field))?))).collect();
    let moved = common.iter().enumerate().find(|(index, (field, position))| {
        let mut later = common.iter().skip(index.saturating_add(1));
        later.any(|(other, at)| at < position && !field.is_exclusive(other))
    });
    moved.map(|(_, (field, _))| field.name.as_str())
}

/// Returns the newer protocol with the older names where only a name changed: the name of a packet with the same
/// number, or of an equal field in the same position.
fn with_old_names(old: &Protocol, new: &Protocol, renamed: &mut Vec<Rename>) -> Protocol {
    let mut protocol = new.clone();
    let (old_packets, new_packets) = (by_name(old), by_name(new));
    let removed = old.packets.iter().filter(|packet| !new_packets.contains_key(packet.name.as_str()));
    let removed: HashMap<u16, &Packet> = removed.map(|packet| (packet.number, packet)).collect();
    for packet in protocol.packets.iter_mut().filter(|packet| !old_packets.contains_key(packet.name.as_str()))
    {
        let Some(was) = removed.get(&packet.number).filter(|was| is_rename(was, packet)) else { continue };
        let to = std::mem::replace(&mut packet.name, was.name.clone());
        renamed.push(Rename { packet: was.name.clone(), field: None, to });
    }
    for packet in &mut protocol.packets {
        if let Some(was) = old_packets.get(packet.name.as_str()) {
            rename_fields(was, packet, renamed);
        }
    }
    protocol
}

/// Returns whether two packets with the same number are one packet with two names. At least half of their fields must
/// be equal.
fn is_rename(one: &Packet, other: &Packet) -> bool {
    let fields = |packet: &Packet| -> HashSet<(String, String)> {
        packet.fields.iter().map(|field| (field_id(field), described(field, packet))).collect()
    };
    let (one_fields, other_fields) = (fields(one), fields(other));
    let common = one_fields.intersection(&other_fields).count();
    one.directions == other.directions && common.saturating_mul(2) >= one_fields.len().max(other_fields.len())
}

fn rename_fields(old: &Packet, new: &mut Packet, renamed: &mut Vec<Rename>) {
    let mut rename = |new: &mut Packet, index: usize, field: &Field| {
        if let Some(now) = new.fields.get_mut(index) {
            let to = std::mem::replace(&mut now.name, field.name.clone());
            renamed.push(Rename { packet: old.name.clone(), field: Some(field.name.clone()), to });
        }
    };
    // Forms that end with their width in only one of the versions.
    for field in &old.fields {
        let (old_ids, new_ids) = (by_id(old), by_id(new));
        let is_form = |now: &Field| {
            !old_ids.contains_key(&field_id(now))
                && now.base_name() == field.base_name()
                && described(field, old) == described(now, new)
        };
        if new_ids.contains_key(&field_id(field)) {
            continue;
        }
        if let Some(index) = new.fields.iter().position(is_form) {
            rename(new, index, field);
        }
    }
    let (old_ids, new_ids) = (by_id(old), by_id(new));
    // If only the name of the next older field changed, this is its index in the newer packet.
    let mut position = 0_usize;
    for field in &old.fields {
        if let Some(&index) = new_ids.get(&field_id(field)) {
            position = index.saturating_add(1);
            continue;
        }
        let is_rename = |now: &Field| {
            !old_ids.contains_key(&field_id(now)) && described(field, old) == described(now, new)
        };
        if !new.fields.get(position).is_some_and(is_rename) {
            continue;
        }
        rename(new, position, field);
        position = position.saturating_add(1);
    }
}
