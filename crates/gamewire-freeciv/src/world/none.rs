//! The numbers that mean "none". They differ between versions.

use crate::codec::ProtocolVersion;

impl ProtocolVersion {
    /// Returns the number that means "no player" in packets about connections.
    pub const fn no_player(self) -> u16 {
        match self {
            Self::V3_0 => 160,
            Self::V3_1 | Self::V3_2 => 512,
        }
    }

    /// Returns the number that means "no action" in the orders of a unit.
    pub(crate) const fn no_action(self) -> u8 {
        match self {
            Self::V3_0 => 44,
            Self::V3_1 => 106,
            Self::V3_2 => 125,
        }
    }

    /// Returns the number that means "no activity" in the orders of a unit.
    pub(crate) const fn no_activity(self) -> u8 {
        match self {
            Self::V3_0 => 21,
            Self::V3_1 => 23,
            Self::V3_2 => 16,
        }
    }

    /// Returns the number that means "no owner" in packets about tiles. The number of 3.2 needs the capability
    /// ownernull16.
    pub(super) const fn no_owner(self) -> u16 {
        match self {
            Self::V3_0 | Self::V3_1 => 255,
            Self::V3_2 => 65_535,
        }
    }

    /// Returns the number that means "no resource" in packets about tiles.
    pub(super) const fn no_resource(self) -> u8 {
        match self {
            Self::V3_0 | Self::V3_1 => 128,
            Self::V3_2 => 250,
        }
    }
}
