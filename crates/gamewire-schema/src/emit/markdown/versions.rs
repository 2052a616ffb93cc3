use crate::ir::{Packet, Protocol, Topic};

/// Versions of a protocol, from the oldest to the newest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Versions<'a>(pub(super) &'a [Protocol]);

/// A packet in the versions that have it.
#[derive(Debug)]
pub(super) struct VersionedPacket<'a> {
    pub(super) name: &'a str,
    /// By the position of its version.
    pub(super) versions: Vec<Option<&'a Packet>>,
}

impl<'a> Versions<'a> {
    pub(super) fn newest(self) -> Option<&'a Protocol> {
        self.0.last()
    }

    /// Returns the name of each version without the part that all have, such as `3.0` for `freeciv-3.0`.
    pub(super) fn labels(self) -> Vec<&'a str> {
        let name = |protocol: &'a Protocol| protocol.name.rsplit_once('-').map_or("", |(name, _)| name);
        let is_shared = self.0.windows(2).all(|pair| pair.first().map(name) == pair.last().map(name));
        let label = |protocol: &'a Protocol| match protocol.name.rsplit_once('-') {
            Some((_, version)) if is_shared => version,
            _ => protocol.name.as_str(),
        };
        self.0.iter().map(label).collect()
    }

    /// Returns the labels of the versions at these positions, such as `3.0, 3.1`.
    pub(super) fn label_list(self, positions: &[usize]) -> String {
        let labels = self.labels();
        let labels = positions.iter().filter_map(|&position| labels.get(position).copied());
        labels.collect::<Vec<&str>>().join(", ")
    }

    /// Returns the packets of all versions, in the order of the newest.
    pub(super) fn packets(self) -> Vec<VersionedPacket<'a>> {
        let names =
            |protocol: &'a Protocol| protocol.packets.iter().map(|packet| packet.name.as_str()).collect();
        let versions = |name| self.0.iter().map(|protocol| protocol.packet_named(name)).collect();
        let packet = |name| VersionedPacket { name, versions: versions(name) };
        united(self.0.iter().map(names)).into_iter().map(packet).collect()
    }

    /// Returns the topics that have packets, each with its packets.
    pub(super) fn topics(self) -> Vec<(&'a Topic, Vec<VersionedPacket<'a>>)> {
        let mut packets = self.packets();
        let topics = self.newest().map_or(&[][..], |protocol| &protocol.topics).iter();
        let topics = topics.map(|topic| {
            let is_of_topic = |packet: &mut VersionedPacket<'_>| {
                packet.newest().is_some_and(|newest| newest.topic == topic.name)
            };
            (topic, packets.extract_if(.., is_of_topic).collect::<Vec<_>>())
        });
        topics.filter(|(_, packets)| !packets.is_empty()).collect()
    }
}

impl<'a> VersionedPacket<'a> {
    /// Returns the packet of the newest version that has it.
    pub(super) fn newest(&self) -> Option<&'a Packet> {
        self.present().last().map(|present| present.packet)
    }

    /// Returns the packet of each version that has it.
    pub(super) fn present(&self) -> impl DoubleEndedIterator<Item = PresentPacket<'a>> {
        let versions = self.versions.iter().enumerate();
        versions.filter_map(|(position, packet)| Some(PresentPacket { position, packet: (*packet)? }))
    }

    /// Returns the positions of the versions without it.
    pub(super) fn missing(&self) -> Vec<usize> {
        self.versions
            .iter()
            .enumerate()
            .filter(|(_, packet)| packet.is_none())
            .map(|(position, _)| position)
            .collect()
    }

    /// Returns the names of the fields of all versions, in the order of the newest.
    pub(super) fn field_names(&self) -> Vec<&'a str> {
        let names = |present: PresentPacket<'a>| {
            present.packet.fields.iter().map(|field| field.name.as_str()).collect()
        };
        united(self.present().map(names))
    }
}

/// The packet of one version.
#[derive(Clone, Copy)]
pub(super) struct PresentPacket<'a> {
    /// Position of the version.
    pub(super) position: usize,
    pub(super) packet: &'a Packet,
}

/// A value, and the positions of the versions that have it.
pub(super) struct Group<T> {
    pub(super) positions: Vec<usize>,
    pub(super) value: T,
}

/// Groups the positions of equal values, in the order of their first position.
pub(super) fn grouped<T: PartialEq>(values: impl IntoIterator<Item = (usize, T)>) -> Vec<Group<T>> {
    let mut groups: Vec<Group<T>> = Vec::new();
    for (position, value) in values {
        match groups.iter_mut().find(|known| known.value == value) {
            Some(known) => known.positions.push(position),
            None => groups.push(Group { positions: vec![position], value }),
        }
    }
    groups
}

/// Returns the names of all lists, once each, in the order of the last list. A name of an earlier list only is placed
/// after its predecessor in that list.
fn united<'a>(lists: impl DoubleEndedIterator<Item = Vec<&'a str>>) -> Vec<&'a str> {
    let mut united: Vec<&str> = Vec::new();
    for list in lists.rev() {
        let mut next = 0;
        for name in list {
            let position = united.iter().position(|known| *known == name).unwrap_or_else(|| {
                united.insert(next, name);
                next
            });
            next = position.saturating_add(1);
        }
    }
    united
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_an_older_version_comes_after_the_one_that_it_followed() {
        let lists = [vec!["a", "old", "b"], vec!["new", "a", "b", "c"]];
        assert_eq!(united(lists.into_iter()), ["new", "a", "old", "b", "c"]);
    }

    #[test]
    fn equal_values_are_one_group() {
        let groups = grouped([(0, 'x'), (1, 'y'), (3, 'x')]);
        let groups: Vec<_> = groups.iter().map(|group| (&*group.positions, group.value)).collect();
        assert_eq!(groups, [(&[0, 3][..], 'x'), (&[1], 'y')]);
    }
}
