//! Flags of rules. Their numbers differ between versions.

use crate::codec::ProtocolVersion;

/// Defines flags by their numbers in 3.0, 3.1 and 3.2.
macro_rules! flags {
    ($($(#[$doc:meta])* $type:ident { $($flag:ident: $v3_0:expr, $v3_1:expr, $v3_2:expr;)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $type {
            $($flag,)+
        }

        impl $type {
            /// Returns the number of the bit, or `NONE` if the version does not have the flag.
            pub(crate) const fn bit(self, version: ProtocolVersion) -> usize {
                match (self, version) {
                    $(
                        (Self::$flag, ProtocolVersion::V3_0) => $v3_0,
                        (Self::$flag, ProtocolVersion::V3_1) => $v3_1,
                        (Self::$flag, ProtocolVersion::V3_2) => $v3_2,
                    )+
                }
            }
        }
    )+};
}

/// A bit number that no bitvector has.
const NONE: usize = usize::MAX;

flags! {
    /// A flag of a unit type.
    UnitFlag {
        HasNoZoc: 1, 0, 0;
        IgnoresZoc: 2, 1, 1;
        Civilian: 3, 2, 2;
        IgnoresTerrain: 4, 3, 3;
        CoastStrict: 11, 9, 9;
        Unique: 18, 16, 16;
        NoBuild: 24, 22, 22;
        BarbarianOnly: 27, 25, 25;
        BeachLander: 28, NONE, NONE;
        NewCityGamesOnly: 29, 26, 26;
        RandomMovement: NONE, NONE, 29;
    }
    /// A flag of a unit class.
    UnitClassFlag {
        TerrainSpeed: 0, 0, 0;
        DamageSlows: 2, 2, 2;
        BuildAnywhere: 5, 4, 4;
        Zoc: 8, 7, 7;
    }
    /// A flag of a terrain.
    TerrainFlag {
        UnsafeCoast: 4, 4, 4;
        NoZoc: 7, 7, 7;
        EnterBorders: NONE, NONE, 8;
    }
    /// A flag of an extra.
    ExtraFlag {
        NativeTile: 0, 0, 0;
        Refuel: 1, 1, 1;
        CausesZoc: NONE, NONE, 11;
    }
    /// A flag of a road.
    RoadFlag {
        UnrestrictedInfra: 3, 1, 1;
        JumpFrom: 4, 2, 2;
        JumpTo: 5, 3, 3;
    }
}

/// The genus of a building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuildingGenus {
    GreatWonder,
    SmallWonder,
    Other,
}

impl BuildingGenus {
    pub(crate) const fn of(genus: u8) -> Self {
        match genus {
            0 => Self::GreatWonder,
            1 => Self::SmallWonder,
            _ => Self::Other,
        }
    }
}
