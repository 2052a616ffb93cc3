use core::fmt;

use gamewire_schema::ir::{CapabilityMask, Packet};

use crate::delta::is_separator;

/// A version of Freeciv's protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ProtocolVersion {
    /// Freeciv 3.0.
    #[default]
    V3_0,
    /// Freeciv 3.1.
    V3_1,
    /// Freeciv 3.2.
    V3_2,
}

impl ProtocolVersion {
    /// All versions, oldest first.
    pub const ALL: [Self; 3] = [Self::V3_0, Self::V3_1, Self::V3_2];
    /// The first bit in capability masks that represents a version.
    pub(super) const FIRST_BIT: usize = Packet::MAX_CAPABILITIES;
    /// The bits in capability masks that represent versions.
    pub(super) const BITS: u64 = Self::V3_2.bits();

    /// Returns the protocol version of a server with these major and minor numbers, or the closest one if it is
    /// unknown.
    pub const fn of_server(major: u32, minor: u32) -> Self {
        match (major, minor) {
            (..=2, _) | (3, 0) => Self::V3_0,
            (3, 1) => Self::V3_1,
            _ => Self::V3_2,
        }
    }

    /// Returns the version that a capability string names, such as `+Freeciv-3.1-network`. If it names several, the
    /// first mandatory one decides, or else the first one.
    pub fn of_capabilities(capabilities: &str) -> Option<Self> {
        let of_word = |word: &str| Self::ALL.into_iter().find(|version| word == version.capability());
        let words = || capabilities.split(is_separator);
        let mandatory = words().filter_map(|word| word.strip_prefix('+')).find_map(of_word);
        mandatory.or_else(|| words().find_map(of_word))
    }

    /// Returns the capability that names the version.
    pub fn capability(self) -> String {
        format!("Freeciv-{self}-network")
    }

    /// Returns the bits of this version in capability masks: one for each version from 3.1 up to this one.
    pub const fn bits(self) -> u64 {
        match self {
            Self::V3_0 => 0,
            Self::V3_1 => 1 << Self::FIRST_BIT,
            Self::V3_2 => 3 << Self::FIRST_BIT,
        }
    }

    /// Returns the index in [`ALL`](Self::ALL) of the version in a capability mask.
    pub(super) fn index(mask: CapabilityMask) -> usize {
        usize::try_from((mask.0 & Self::BITS).count_ones()).unwrap_or(usize::MAX)
    }
}

/// Writes the number, such as `3.1`.
impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V3_0 => "3.0",
            Self::V3_1 => "3.1",
            Self::V3_2 => "3.2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ProtocolVersion::{V3_0, V3_1, V3_2};
    use super::*;

    #[test]
    fn a_mandatory_capability_names_the_version_before_an_optional_one() {
        for (capabilities, version) in [
            ("+Freeciv-3.1-network ids32", Some(V3_1)),
            ("ids32,Freeciv-3.2-network", Some(V3_2)),
            ("Freeciv-3.0-network +Freeciv-3.2-network", Some(V3_2)),
            ("Freeciv-3.0-network Freeciv-3.1-network", Some(V3_0)),
            ("+Freeciv-3.3-network Freeciv-3.1-networks", None),
            ("", None),
        ] {
            assert_eq!(ProtocolVersion::of_capabilities(capabilities), version, "{capabilities}");
        }
    }
}
