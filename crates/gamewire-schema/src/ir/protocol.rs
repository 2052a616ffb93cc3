use std::collections::HashSet;

use super::packet::Packet;
use super::version::Version;

/// All packets of one version of a protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Protocol {
    /// Name of the version, such as `freeciv-3.0`. It may be empty.
    pub name: String,
    /// The packets, in the order of the definition.
    pub packets: Vec<Packet>,
    /// The aliases of types, in the order of the definition.
    pub aliases: Vec<Alias>,
    /// The files of the definition, in the order of their packets; empty if the definition is one file.
    pub topics: Vec<Topic>,
    /// The capabilities that select variants of packets, in order of first use.
    pub capabilities: Vec<String>,
    /// The version of Freeciv, if the definition contains it.
    pub version: Option<Version>,
    /// The capability string of clients of this version. It may be empty.
    pub capability_string: String,
}

/// A group of packets: one file in a definition of several files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topic {
    /// The name of the file without its extension, such as `city`.
    pub name: String,
    /// Text of the `//!` lines in the file. It may be empty.
    pub doc: String,
}

/// A name for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The new name, such as `TILE`.
    pub name: String,
    /// The type that the name means: another alias or a basic type such as `sint32(int)`.
    pub source: String,
}

impl Protocol {
    /// Creates a protocol with these packets and without aliases. Its capabilities are the capabilities of the packets.
    pub fn new(name: impl Into<String>, packets: Vec<Packet>) -> Self {
        let mut seen = HashSet::new();
        let named = packets.iter().flat_map(|packet| &packet.capabilities);
        let capabilities = named.filter(|name| seen.insert(*name)).cloned().collect();
        Self { name: name.into(), packets, capabilities, ..Self::default() }
    }

    /// Returns the packet with this number. Searches linearly; use a table for frequent lookups.
    #[inline]
    pub fn packet(&self, number: u16) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.number == number)
    }

    /// Returns the packet with this name. Searches linearly.
    pub fn packet_named(&self, name: &str) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.name == name)
    }

    /// Returns the number of variants of all packets, at most `u64::MAX`.
    pub fn variant_count(&self) -> u64 {
        self.packets.iter().fold(0, |sum, packet| sum.saturating_add(packet.variant_count()))
    }
}
