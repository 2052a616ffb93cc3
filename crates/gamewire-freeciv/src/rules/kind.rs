//! Kinds and ranges of requirements. Their numbers differ between versions.

use core::fmt;

use crate::codec::{ProtocolVersion, Requirement};

/// Defines the kinds that exist in all versions, by their numbers since 3.1.
macro_rules! kinds {
    ($($(#[$doc:meta])* $number:literal => $kind:ident $name:literal,)+) => {
        /// The kind of thing that a requirement is about (Freeciv's `universals_n`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RequirementKind {
            $($(#[$doc])* $kind,)+
            /// A flag of a base; only in 3.0.
            BaseFlag,
            /// A kind unknown to this crate, by its number on the wire.
            Other(u8),
        }

        impl RequirementKind {
            const fn since_3_1(number: u8) -> Self {
                match number {
                    $($number => Self::$kind,)+
                    _ => Self::Other(number),
                }
            }

            /// Returns the name in rulesets, or `None` if the kind is unknown.
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$kind => Some($name),)+
                    Self::BaseFlag => Some("BaseFlag"),
                    Self::Other(_) => None,
                }
            }
        }
    };
}

kinds! {
    /// No condition: the requirement is always met.
    0 => None "None",
    /// An advance.
    1 => Advance "Tech",
    /// A government.
    2 => Government "Gov",
    /// A building.
    3 => Improvement "Building",
    /// A terrain.
    4 => Terrain "Terrain",
    /// A nation.
    5 => Nation "Nation",
    /// A unit type.
    6 => UnitType "UnitType",
    /// A flag of a unit type.
    7 => UnitFlag "UnitFlag",
    /// A unit class.
    8 => UnitClass "UnitClass",
    /// A flag of a unit class.
    9 => UnitClassFlag "UnitClassFlag",
    /// An output.
    10 => OutputType "OutputType",
    /// A specialist.
    11 => Specialist "Specialist",
    /// A minimum size of a city.
    12 => MinSize "MinSize",
    /// The skill level of a computer player.
    13 => AiLevel "AI",
    /// Land or ocean.
    14 => TerrainClass "TerrainClass",
    /// A minimum year.
    15 => MinYear "MinYear",
    /// An alteration that a terrain can have: irrigation, a mine, a road.
    16 => TerrainAlter "TerrainAlter",
    /// A relation of a tile to cities, such as being the center of one.
    17 => CityTile "CityTile",
    /// Goods.
    18 => Good "Good",
    /// A flag of a terrain.
    19 => TerrainFlag "TerrainFlag",
    /// A nationality of citizens.
    20 => Nationality "Nationality",
    /// A flag of a road.
    21 => RoadFlag "RoadFlag",
    /// An extra.
    22 => Extra "Extra",
    /// A flag of an advance.
    23 => TechFlag "TechFlag",
    /// An achievement.
    24 => Achievement "Achievement",
    /// A diplomatic relation.
    25 => DiplRel "DiplRel",
    /// A maximum number of units on a tile.
    26 => MaxTileUnits "MaxUnitsOnTile",
    /// A style of a player.
    27 => Style "Style",
    /// A minimum culture.
    28 => MinCulture "MinCulture",
    /// A state of a unit.
    29 => UnitState "UnitState",
    /// Minimum move fragments of a unit.
    30 => MinMoves "MinMoveFrags",
    /// A minimum veteran level of a unit.
    31 => MinVeteran "MinVeteran",
    /// Minimum hit points of a unit.
    32 => MinHitPoints "MinHitPoints",
    /// A minimum age in turns.
    33 => Age "Age",
    /// A group of nations.
    34 => NationGroup "NationGroup",
    /// A property of the topology.
    35 => Topology "Topology",
    /// A genus of buildings.
    36 => BuildingGenus "BuildingGenus",
    /// An action.
    37 => Action "Action",
    /// A minimum number of advances.
    38 => MinTechs "MinTechs",
    /// A flag of an extra.
    39 => ExtraFlag "ExtraFlag",
    /// A minimum part of the year.
    40 => MinCalendarFragment "MinCalFrag",
    /// A server setting that is on.
    41 => ServerSetting "ServerSetting",
    /// A state of a city, such as disorder.
    42 => CityStatus "CityStatus",
    /// A minimum percentage of foreign citizens.
    43 => MinForeignPct "MinForeignPct",
    /// An activity of a unit.
    44 => Activity "Activity",
    /// A diplomatic relation to the owner of the tile.
    45 => DiplRelTile "DiplRelTile",
    /// A diplomatic relation of the other player to the owner of the tile.
    46 => DiplRelTileOther "DiplRelTileOther",
    /// A diplomatic relation to the owner of any unit on the tile.
    47 => DiplRelUnitAny "DiplRelUnitAny",
    /// A diplomatic relation of the other player to the owner of any unit on the tile.
    48 => DiplRelUnitAnyOther "DiplRelUnitAnyOther",
    /// A minimum latitude.
    49 => MinLatitude "MinLatitude",
    /// A maximum latitude.
    50 => MaxLatitude "MaxLatitude",
    /// A counter of a city that has reached its checkpoint.
    51 => Counter "Counter",
    /// A nation that founded the city.
    52 => OriginalOwner "OriginalOwner",
    /// A flag of a building.
    53 => BuildingFlag "BuildingFlag",
    /// Edges at which the map wraps.
    54 => Wrap "Wrap",
    /// A flag of a player.
    55 => PlayerFlag "PlayerFlag",
    /// A state of a player.
    56 => PlayerState "PlayerState",
    /// A minimum number of turns since a unit got its type.
    57 => FormAge "FormAge",
    /// A production site: a place that builds buildings or units.
    58 => Site "Site",
}

impl RequirementKind {
    /// The number of [`BaseFlag`](Self::BaseFlag) in 3.0. Later versions do not have it.
    const BASE_FLAG: u8 = 21;

    /// Returns whether requirements of the kind only depend on the unit type, not on the state of a unit.
    pub(crate) const fn is_of_unit_type(self) -> bool {
        matches!(self, Self::UnitType | Self::UnitFlag | Self::UnitClass | Self::UnitClassFlag)
    }

    /// Returns the kind of a requirement.
    pub const fn of(requirement: &Requirement, version: ProtocolVersion) -> Self {
        match (version, requirement.kind) {
            (ProtocolVersion::V3_0, Self::BASE_FLAG) => Self::BaseFlag,
            (ProtocolVersion::V3_0, number) if number > Self::BASE_FLAG => {
                Self::since_3_1(number.saturating_sub(1))
            }
            (_, number) => Self::since_3_1(number),
        }
    }
}

/// Formats as the name in rulesets, or as the number if the kind is unknown.
impl fmt::Display for RequirementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self) {
            (Some(name), _) => f.pad(name),
            (None, Self::Other(number)) => write!(f, "kind {number}"),
            (None, _) => Ok(()),
        }
    }
}

/// The distance or the group within which a requirement is checked (Freeciv's `req_range`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequirementRange {
    /// The thing itself.
    Local,
    /// The tile. Versions before 3.2 use [`Local`](Self::Local) for it.
    Tile,
    /// The tile and its cardinal neighbors.
    CardinalAdjacent,
    /// The tile and its neighbors.
    Adjacent,
    /// The city, or its tiles.
    City,
    /// The city and its trade partners.
    TradeRoute,
    /// The cities of the player on the continent.
    Continent,
    /// The player.
    Player,
    /// The team.
    Team,
    /// The player and its allies.
    Alliance,
    /// All players.
    World,
}

impl RequirementRange {
    /// All ranges, in the order of their numbers in 3.2.
    const ALL: [Self; 11] = [
        Self::Local,
        Self::Tile,
        Self::CardinalAdjacent,
        Self::Adjacent,
        Self::City,
        Self::TradeRoute,
        Self::Continent,
        Self::Player,
        Self::Team,
        Self::Alliance,
        Self::World,
    ];

    /// Returns the range of a requirement, or `None` if its number is unknown.
    pub fn of(requirement: &Requirement, version: ProtocolVersion) -> Option<Self> {
        let number = usize::from(requirement.range);
        // 3.2 inserted the number 1.
        let is_later = version < ProtocolVersion::V3_2 && number > 0;
        Self::ALL.get(number.saturating_add(usize::from(is_later))).copied()
    }

    /// Returns the name in rulesets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "Local",
            Self::Tile => "Tile",
            Self::CardinalAdjacent => "CAdjacent",
            Self::Adjacent => "Adjacent",
            Self::City => "City",
            Self::TradeRoute => "Traderoute",
            Self::Continent => "Continent",
            Self::Player => "Player",
            Self::Team => "Team",
            Self::Alliance => "Alliance",
            Self::World => "World",
        }
    }
}

/// Formats as the name in rulesets.
impl fmt::Display for RequirementRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::{RequirementKind as Kind, RequirementRange as Range};
    use crate::codec::{ProtocolVersion, Requirement};

    #[test]
    fn numbers_of_kinds_moved_in_3_1() {
        let kind = |kind, version| Kind::of(&Requirement { kind, ..Requirement::default() }, version);
        assert_eq!(kind(20, ProtocolVersion::V3_0), Kind::Nationality);
        assert_eq!(kind(21, ProtocolVersion::V3_0), Kind::BaseFlag);
        assert_eq!(
            (kind(23, ProtocolVersion::V3_0), kind(22, ProtocolVersion::V3_1)),
            (Kind::Extra, Kind::Extra)
        );
        assert_eq!(
            (kind(42, ProtocolVersion::V3_0), kind(41, ProtocolVersion::V3_2)),
            (Kind::ServerSetting, Kind::ServerSetting)
        );
        assert_eq!(kind(200, ProtocolVersion::V3_2), Kind::Other(200));
    }

    #[test]
    fn numbers_of_ranges_moved_in_3_2() {
        let range = |range, version| Range::of(&Requirement { range, ..Requirement::default() }, version);
        assert_eq!(
            (range(0, ProtocolVersion::V3_1), range(0, ProtocolVersion::V3_2)),
            (Some(Range::Local), Some(Range::Local))
        );
        assert_eq!(
            (range(3, ProtocolVersion::V3_0), range(4, ProtocolVersion::V3_2)),
            (Some(Range::City), Some(Range::City))
        );
        assert_eq!(
            (range(9, ProtocolVersion::V3_1), range(10, ProtocolVersion::V3_2)),
            (Some(Range::World), Some(Range::World))
        );
        assert_eq!((range(10, ProtocolVersion::V3_1), range(255, ProtocolVersion::V3_2)), (None, None));
    }
}
