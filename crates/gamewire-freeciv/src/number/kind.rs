//! Numbers that are the same in all versions.

use super::named::numbers;

numbers! {
    /// A kind of treaty clause.
    Clause: u8;
    0 => ADVANCE "advance", 1 => GOLD "gold", 2 => WORLD_MAP "world map", 3 => SEA_MAP "sea map",
    4 => CITY "city", 5 => CEASEFIRE "ceasefire", 6 => PEACE "peace", 7 => ALLIANCE "alliance",
    8 => SHARED_VISION "shared vision", 9 => EMBASSY "embassy", 10 => SHARED_TILES "shared tiles",
}

numbers! {
    /// The diplomatic state between two players.
    DiplomaticState: u8;
    0 => ARMISTICE "armistice", 1 => WAR "war", 2 => CEASEFIRE "ceasefire", 3 => PEACE "peace",
    4 => ALLIANCE "alliance", 5 => NO_CONTACT "no contact", 6 => TEAM "team",
}

numbers! {
    /// A step of a unit's orders.
    UnitOrder: u8;
    0 => MOVE "move", 1 => ACTIVITY "activity", 2 => FULL_MOVE_POINTS "full move points",
    3 => ACTION_MOVE "action move", 4 => PERFORM_ACTION "perform action",
}

numbers! {
    /// The knowledge that a player has of a tile.
    Known: u8;
    0 => UNKNOWN "unknown", 1 => FOGGED "fogged", 2 => SEEN "seen",
}

numbers! {
    /// The kind of production of a city: a building or a unit. The numbers equal the kinds of requirements.
    ProductionKind: u8;
    3 => BUILDING "building", 6 => UNIT "unit",
}

numbers! {
    /// An output of tiles and cities. The number is the index in arrays of six outputs.
    Output: u8;
    0 => FOOD "food", 1 => SHIELD "shield", 2 => TRADE "trade", 3 => GOLD "gold", 4 => LUXURY "luxury",
    5 => SCIENCE "science",
}

numbers! {
    /// The players who move in the same phase of a turn.
    PhaseMode: u8;
    0 => ALL "all", 1 => PLAYERS "player", 2 => TEAMS "team",
}

numbers! {
    /// The stage of a spaceship.
    SpaceshipState: u8;
    0 => NONE "none", 1 => STARTED "started", 2 => LAUNCHED "launched", 3 => ARRIVED "arrived",
}

numbers! {
    /// The highest level of server commands that a connection may use.
    AccessLevel: u8;
    0 => NONE "none", 1 => INFO "info", 2 => BASIC "basic", 3 => CONTROL "ctrl", 4 => ADMIN "admin", 5 => HACK "hack",
}

/// The production of a city: a building or a unit type, by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Production {
    /// The kind.
    pub kind: ProductionKind,
    /// Id of the building or of the unit type.
    pub id: u8,
}

impl Production {
    /// Returns the production of a unit type.
    pub const fn unit(id: u8) -> Self {
        Self { kind: ProductionKind::UNIT, id }
    }

    /// Returns the production of a building.
    pub const fn building(id: u8) -> Self {
        Self { kind: ProductionKind::BUILDING, id }
    }
}
