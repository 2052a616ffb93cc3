//! The numbers that stand for nothing, which differ between versions.

use crate::codec::ProtocolVersion;

impl ProtocolVersion {
    /// The number for no player in packets about connections.
    pub const fn no_player(self) -> u16 {
        match self {
            Self::V3_0 => 160,
            Self::V3_1 | Self::V3_2 => 512,
        }
    }

    /// The number for no action in the orders of a unit.
    pub(crate) const fn no_action(self) -> u8 {
        match self {
            Self::V3_0 => 44,
            Self::V3_1 => 106,
            Self::V3_2 => 125,
        }
    }

    /// The number for no activity in the orders of a unit.
    pub(crate) const fn no_activity(self) -> u8 {
        match self {
            Self::V3_0 => 21,
            Self::V3_1 => 23,
            Self::V3_2 => 16,
        }
    }

    /// The number for no owner in packets about tiles. That of 3.2 needs the capability ownernull16.
    pub(super) const fn no_owner(self) -> u16 {
        match self {
            Self::V3_0 | Self::V3_1 => 255,
            Self::V3_2 => 65_535,
        }
    }

    /// The number for no resource in packets about tiles.
    pub(super) const fn no_resource(self) -> u8 {
        match self {
            Self::V3_0 | Self::V3_1 => 128,
            Self::V3_2 => 250,
        }
    }
}
