use super::macros::numbers;

numbers! {
    /// What one side gives in a treaty, or what both agree on.
    Clause: u8;
    0 => ADVANCE "advance", 1 => GOLD "gold", 2 => WORLD_MAP "world map", 3 => SEA_MAP "sea map",
    4 => CITY "city", 5 => CEASEFIRE "ceasefire", 6 => PEACE "peace", 7 => ALLIANCE "alliance",
    8 => SHARED_VISION "shared vision", 9 => EMBASSY "embassy",
}

numbers! {
    /// How two players stand to each other.
    DiplomaticState: u8;
    0 => ARMISTICE "armistice", 1 => WAR "war", 2 => CEASEFIRE "ceasefire", 3 => PEACE "peace",
    4 => ALLIANCE "alliance", 5 => NO_CONTACT "no contact", 6 => TEAM "team",
}
