use std::collections::HashSet;

use super::packet::Packet;
use super::version::Version;

/// All packets of one version of a protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Protocol {
    /// Name of the version, such as `freeciv-3.0`; may be empty.
    pub name: String,
    /// The packets, in the order of the definition.
    pub packets: Vec<Packet>,
    /// The names that the definition gave to types, in its order.
    pub aliases: Vec<Alias>,
    /// The files of the definition, in the order of their packets; empty where it is one file.
    pub topics: Vec<Topic>,
    /// The capabilities that choose variants of packets, in order of first use.
    pub capabilities: Vec<String>,
    /// The version of Freeciv, if the definition names it.
    pub version: Option<Version>,
    /// The capability string of clients of this version; may be empty.
    pub capability_string: String,
}

/// A group of packets: one file of a definition that has several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topic {
    /// The name of the file without its ending, such as `city`.
    pub name: String,
    /// Text of the `//!` lines of the file; may be empty.
    pub doc: String,
}

/// A name for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The new name, such as `TILE`.
    pub name: String,
    /// Its definition, as written: another alias or a basic type such as `sint32(int)`.
    pub source: String,
}

impl Protocol {
    /// Creates a protocol of these packets, without aliases. Collects the capabilities from them.
    pub fn new(name: impl Into<String>, packets: Vec<Packet>) -> Self {
        let mut seen = HashSet::new();
        let named = packets.iter().flat_map(|packet| &packet.capabilities);
        let capabilities = named.filter(|name| seen.insert(*name)).cloned().collect();
        Self { name: name.into(), packets, capabilities, ..Self::default() }
    }

    /// Returns the packet with this number. A linear search: keep a table for frequent lookups.
    pub fn packet(&self, number: u16) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.number == number)
    }

    /// Returns the packet with this name. A linear search.
    pub fn packet_named(&self, name: &str) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.name == name)
    }

    /// Returns the number of variants of all packets, at most `u64::MAX`.
    pub fn variant_count(&self) -> u64 {
        self.packets.iter().fold(0, |sum, packet| sum.saturating_add(packet.variant_count()))
    }
}
