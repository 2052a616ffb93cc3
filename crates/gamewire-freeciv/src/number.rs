//! Numbers in packets that have names in the game: activities, actions, clauses and others.
//!
//! Each type wraps the number on the wire, so a number without a name is kept as it is.

/// Defines a newtype for a number on the wire, with a constant for each named value and a lookup by name.
macro_rules! numbers {
    ($(#[$doc:meta])* $type:ident: $of:ty; $($number:literal => $constant:ident $name:literal,)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $type(
            /// The number on the wire.
            pub $of,
        );

        impl $type {
            $(
                #[doc = concat!("`", $number, "`: ", $name, ".")]
                pub const $constant: Self = Self($number);
            )+

            /// All named numbers in ascending order.
            pub const NAMED: &'static [Self] = &[$(Self::$constant,)+];

            /// Returns the name, if the number has one.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($name),)+
                    _ => None,
                }
            }

            /// Returns the number with this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::NAMED.iter().copied().find(|number| number.name() == Some(name))
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => write!(f, "{}", self.0),
                }
            }
        }
    };
}

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
    /// The knowledge that a player has of a tile.
    Known: u8;
    0 => UNKNOWN "unknown", 1 => FOGGED "fogged", 2 => SEEN "seen",
}

numbers! {
    /// The kind of event that a message of the server reports.
    Event: i16;
    0 => CITY_CANNOT_BUILD "city cannot build", 1 => CITY_LOST "city lost", 2 => CITY_LOVE "city celebrates",
    3 => CITY_DISORDER "city disorder", 4 => CITY_FAMINE "city famine",
    5 => CITY_FAMINE_FEARED "city famine feared", 6 => CITY_GROWTH "city growth",
    7 => CITY_MAY_GROW "city may soon grow", 8 => CITY_AQUEDUCT "city needs aqueduct",
    9 => CITY_AQUEDUCT_BUILDING "city builds aqueduct", 10 => CITY_NORMAL "city normal",
    11 => CITY_NUKED "city nuked", 12 => CITY_GOVERNOR_RELEASED "city governor released",
    13 => CITY_GRANARY_THROTTLED "city growth throttled", 14 => CITY_TRANSFER "city transfer",
    15 => CITY_FOUNDED "city founded", 16 => CITY_PRODUCTION_CHANGED "city production changed",
    17 => WORKLIST "worklist", 18 => UPRISING "uprising", 19 => CIVIL_WAR "civil war", 20 => ANARCHY "anarchy",
    21 => FIRST_CONTACT "first contact", 22 => NEW_GOVERNMENT "new government",
    23 => LOW_ON_FUNDS "low on funds", 24 => POLLUTION "pollution", 25 => REVOLT_DONE "revolt done",
    26 => REVOLT_START "revolt start", 27 => SPACESHIP "spaceship", 28 => MY_DIPLOMAT_BRIBE "my diplomat bribe",
    29 => DIPLOMATIC_INCIDENT "diplomatic incident", 30 => MY_DIPLOMAT_ESCAPE "my diplomat escape",
    31 => MY_DIPLOMAT_EMBASSY "my diplomat embassy", 32 => MY_DIPLOMAT_FAILED "my diplomat failed",
    33 => MY_DIPLOMAT_INCITE "my diplomat incite", 34 => MY_DIPLOMAT_POISON "my diplomat poison",
    35 => MY_DIPLOMAT_SABOTAGE "my diplomat sabotage", 36 => MY_DIPLOMAT_THEFT "my diplomat theft",
    37 => ENEMY_DIPLOMAT_BRIBE "enemy diplomat bribe", 38 => ENEMY_DIPLOMAT_EMBASSY "enemy diplomat embassy",
    39 => ENEMY_DIPLOMAT_FAILED "enemy diplomat failed", 40 => ENEMY_DIPLOMAT_INCITE "enemy diplomat incite",
    41 => ENEMY_DIPLOMAT_POISON "enemy diplomat poison",
    42 => ENEMY_DIPLOMAT_SABOTAGE "enemy diplomat sabotage", 43 => ENEMY_DIPLOMAT_THEFT "enemy diplomat theft",
    44 => CARAVAN_ACTION "caravan action", 45 => SCRIPT "script", 46 => BROADCAST_REPORT "broadcast report",
    47 => GAME_END "game end", 48 => GAME_START "game start", 49 => NATION_SELECTED "nation selected",
    50 => DESTROYED "destroyed", 51 => REPORT "report", 52 => TURN_BELL "turn bell", 53 => NEXT_YEAR "next year",
    54 => GLOBAL_ENVIRONMENT "global environment", 55 => NUKE "nuke", 56 => HUT_BARBARIANS "hut barbarians",
    57 => HUT_CITY "hut city", 58 => HUT_GOLD "hut gold", 59 => HUT_BARBARIANS_KILLED "hut barbarians killed",
    60 => HUT_MERCENARIES "hut mercenaries", 61 => HUT_SETTLERS "hut settlers", 62 => HUT_TECH "hut tech",
    63 => HUT_BARBARIANS_CITY_NEAR "hut barbarians city near", 64 => BUILDING_BOUGHT "building bought",
    65 => BUILDING_BUILT "building built", 66 => BUILDING_AUCTIONED "building auctioned",
    67 => BUILDING_AUTO "building auto", 68 => BUILDING_SOLD "building sold", 69 => TECH_GAIN "tech gain",
    70 => TECH_LEARNED "tech learned", 71 => TREATY_ALLIANCE "treaty alliance",
    72 => TREATY_BROKEN "treaty broken", 73 => TREATY_CEASEFIRE "treaty ceasefire",
    74 => TREATY_PEACE "treaty peace", 75 => TREATY_SHARED_VISION "treaty shared vision",
    76 => UNIT_LOST_ATTACK "unit lost attack", 77 => UNIT_WON_ATTACK "unit won attack",
    78 => UNIT_BOUGHT "unit bought", 79 => UNIT_BUILT "unit built", 80 => UNIT_LOST_DEFENCE "unit lost defence",
    81 => UNIT_WON_DEFENCE "unit won defence", 82 => UNIT_BECAME_VETERAN "unit became veteran",
    83 => UNIT_UPGRADED "unit upgraded", 84 => UNIT_RELOCATED "unit relocated", 85 => UNIT_ORDERS "unit orders",
    86 => WONDER_BUILT "wonder built", 87 => WONDER_OBSOLETE "wonder obsolete",
    88 => WONDER_STARTED "wonder started", 89 => WONDER_STOPPED "wonder stopped",
    90 => WONDER_SOON "wonder soon built", 91 => DIPLOMACY "diplomacy", 92 => TREATY_EMBASSY "treaty embassy",
    93 => BAD_COMMAND "bad command", 94 => SETTING "setting", 95 => CHAT "chat", 96 => MESSAGE_WALL "message wall",
    97 => CHAT_ERROR "chat error", 98 => CONNECTION "connection", 99 => AI_DEBUG "ai debug",
    100 => LOG_ERROR "log error", 101 => LOG_FATAL "log fatal", 102 => TECH_GOAL "tech goal",
    103 => UNIT_LOST_OTHERWISE "unit lost otherwise", 104 => CITY_PLAGUE "city plague", 105 => VOTE_NEW "vote new",
    106 => VOTE_RESOLVED "vote resolved", 107 => VOTE_ABORTED "vote aborted", 108 => CITY_RADIUS "city radius",
    109 => UNIT_BUILT_FROM_CITIZENS "unit built from citizens", 110 => DISASTER "disaster",
    111 => ACHIEVEMENT "achievement", 112 => TECH_LOST "tech lost", 113 => TECH_EMBASSY "tech embassy",
    114 => MY_SPY_STOLE_GOLD "my spy stole gold", 115 => ENEMY_SPY_STOLE_GOLD "enemy spy stole gold",
    116 => SPONTANEOUS_EXTRA "spontaneous extra", 117 => UNIT_ILLEGAL_ACTION "unit illegal action",
    118 => MY_SPY_STOLE_MAP "my spy stole map", 119 => ENEMY_SPY_STOLE_MAP "enemy spy stole map",
    120 => MY_SPY_NUKE "my spy nuke", 121 => ENEMY_SPY_NUKE "enemy spy nuke",
    122 => UNIT_WAS_EXPELLED "unit was expelled", 123 => UNIT_DID_EXPEL "unit did expel",
    124 => UNIT_ACTION_FAILED "unit action failed", 125 => UNIT_ESCAPED "unit escaped",
    126 => DEPRECATION "deprecation", 127 => BEGINNER_HELP "beginner help", 128 => UNIT_DID_HEAL "unit did heal",
    129 => UNIT_WAS_HEALED "unit was healed",
}

impl Event {
    /// Returns whether a server refuses a request with this kind of message.
    #[must_use]
    pub const fn is_refusal(self) -> bool {
        matches!(
            self,
            Self::BAD_COMMAND
                | Self::CHAT_ERROR
                | Self::UNIT_ILLEGAL_ACTION
                | Self::UNIT_ACTION_FAILED
                | Self::CITY_CANNOT_BUILD
        )
    }
}

numbers! {
    /// The kind of production of a city: a building or a unit. The numbers are those of the kinds of requirements.
    ProductionKind: u8;
    3 => BUILDING "building", 6 => UNIT "unit",
}

numbers! {
    /// An output of tiles and cities: its index in arrays of six.
    Output: u8;
    0 => FOOD "food", 1 => SHIELD "shield", 2 => TRADE "trade", 3 => GOLD "gold", 4 => LUXURY "luxury",
    5 => SCIENCE "science",
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

#[cfg(test)]
mod tests {
    use super::{Action, Activity, Clause, DiplomaticState, Event, Known, UnitOrder};

    #[test]
    fn numbers_are_found_by_their_names() {
        assert_eq!(Activity::named("fortifying"), Some(Activity(15)));
        assert_eq!(Action::named("found city"), Some(Action(25)));
        assert_eq!(Clause::named("embassy"), Some(Clause(9)));
        assert_eq!(DiplomaticState::named("war"), Some(DiplomaticState(1)));
        assert_eq!(Event::named("bad command"), Some(Event(93)));
        assert_eq!(Known::named("seen"), Some(Known(2)));
        assert_eq!(UnitOrder::named("move"), Some(UnitOrder(0)));
        assert_eq!(Activity::named("dancing"), None);
    }

    #[test]
    fn names_are_unique() {
        for number in Action::NAMED {
            assert_eq!(Action::named(number.name().unwrap()), Some(*number));
        }
        for number in Event::NAMED {
            assert_eq!(Event::named(number.name().unwrap()), Some(*number));
        }
    }

    #[test]
    fn an_unnamed_number_is_displayed_as_digits() {
        assert_eq!(Activity(200).to_string(), "200");
        assert_eq!(Activity(200).name(), None);
    }
}
