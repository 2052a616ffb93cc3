use super::macros::numbers;

numbers! {
    /// An action of a unit.
    Action: u8;
    0 => ESTABLISH_EMBASSY "establish embassy", 1 => ESTABLISH_EMBASSY_STAY "establish embassy and stay",
    2 => INVESTIGATE_CITY "investigate city", 3 => INVESTIGATE_CITY_SPEND "investigate city, unit is spent",
    4 => POISON_CITY "poison city", 5 => POISON_CITY_ESCAPE "poison city and escape",
    6 => STEAL_GOLD "steal gold", 7 => STEAL_GOLD_ESCAPE "steal gold and escape",
    8 => SABOTAGE_CITY "sabotage city", 9 => SABOTAGE_CITY_ESCAPE "sabotage city and escape",
    10 => SABOTAGE_TARGET "sabotage a building", 11 => SABOTAGE_TARGET_ESCAPE "sabotage a building and escape",
    12 => STEAL_ADVANCE "steal an advance", 13 => STEAL_ADVANCE_ESCAPE "steal an advance and escape",
    14 => STEAL_CHOSEN_ADVANCE "steal a chosen advance",
    15 => STEAL_CHOSEN_ADVANCE_ESCAPE "steal a chosen advance and escape",
    16 => INCITE_CITY "incite city", 17 => INCITE_CITY_ESCAPE "incite city and escape",
    18 => TRADE_ROUTE "establish trade route", 19 => MARKETPLACE "enter marketplace",
    20 => HELP_WONDER "help wonder", 21 => BRIBE_UNIT "bribe unit", 22 => SABOTAGE_UNIT "sabotage unit",
    23 => SABOTAGE_UNIT_ESCAPE "sabotage unit and escape", 24 => CAPTURE_UNITS "capture units",
    25 => FOUND_CITY "found city", 26 => JOIN_CITY "join city", 27 => STEAL_MAPS "steal maps",
    28 => STEAL_MAPS_ESCAPE "steal maps and escape", 29 => BOMBARD "bombard",
    30 => NUKE_CITY_SPY "suitcase nuke", 31 => NUKE_CITY_SPY_ESCAPE "suitcase nuke and escape",
    32 => NUKE "explode nuclear", 33 => DESTROY_CITY "destroy city", 34 => EXPEL_UNIT "expel unit",
    35 => DISBAND_RECOVER "disband and recover", 36 => DISBAND "disband", 37 => HOME_CITY "home city",
    38 => UPGRADE "upgrade", 39 => PARADROP "paradrop", 40 => AIRLIFT "airlift", 41 => ATTACK "attack",
    42 => CONQUER_CITY "conquer city", 43 => HEAL_UNIT "heal unit", 44 => NONE "none",
}

impl Action {
    /// Returns the name that the rulesets of the game give to an action that [`orders`](crate::orders) uses, without
    /// menu markup.
    pub(crate) const fn shown_name(self) -> Option<&'static str> {
        Some(match self {
            Self::FOUND_CITY => "Build City",
            Self::JOIN_CITY => "Add to City",
            Self::DISBAND_RECOVER => "Disband recovering production",
            Self::DISBAND => "Disband without recovering production",
            Self::HOME_CITY => "Set Home City",
            Self::UPGRADE => "Upgrade Unit",
            Self::ATTACK => "Attack",
            Self::CONQUER_CITY => "Conquer City",
            Self::ESTABLISH_EMBASSY => "Establish Embassy",
            Self::TRADE_ROUTE => "Establish Trade Route",
            Self::HELP_WONDER => "Help build Wonder",
            _ => return None,
        })
    }
}

numbers! {
    /// The activity of a unit.
    Activity: u8;
    0 => IDLE "idle", 1 => CLEAN_POLLUTION "pollution", 3 => MINE "mine", 4 => IRRIGATE "irrigate",
    5 => FORTIFIED "fortified", 7 => SENTRY "sentry", 9 => PILLAGE "pillage", 10 => GOTO "goto",
    11 => EXPLORE "explore", 12 => TRANSFORM "transform", 15 => FORTIFYING "fortifying",
    16 => CLEAN_FALLOUT "fallout", 18 => BASE "base", 19 => ROAD "road", 20 => CONVERT "convert",
    21 => NONE "none",
}

numbers! {
    /// A kind of treaty clause.
    Clause: u8;
    0 => ADVANCE "advance", 1 => GOLD "gold", 2 => WORLD_MAP "world map", 3 => SEA_MAP "sea map",
    4 => CITY "city", 5 => CEASEFIRE "ceasefire", 6 => PEACE "peace", 7 => ALLIANCE "alliance",
    8 => SHARED_VISION "shared vision", 9 => EMBASSY "embassy",
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
    /// What a player knows of a tile.
    Known: u8;
    0 => UNKNOWN "unknown", 1 => FOGGED "fogged", 2 => SEEN "seen",
}
