use super::macros::numbers;

numbers! {
    /// What a unit can do to something.
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
    /// What the rulesets that come with the game call the actions that [`orders`](crate::orders)
    /// are made of, without the marks of menus.
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
