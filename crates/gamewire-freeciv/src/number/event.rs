use super::named::numbers;

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
    129 => UNIT_WAS_HEALED "unit was healed", 130 => MULTIPLIER "multiplier",
    131 => UNIT_ACTION_ACTOR_SUCCESS "unit action actor success",
    132 => UNIT_ACTION_ACTOR_FAILURE "unit action actor failure",
    133 => UNIT_ACTION_TARGET_OTHER "unit action target other",
    134 => UNIT_ACTION_TARGET_HOSTILE "unit action target hostile", 135 => INFRAPOINTS "infrapoints",
    136 => HUT_MAP "hut map", 137 => TREATY_SHARED_TILES "treaty shared tiles",
    138 => CITY_CONQUERED "city conquered",
}

impl Event {
    /// Returns whether the server sends this kind of message about an error that it logged.
    #[must_use]
    pub const fn is_logged_error(self) -> bool {
        matches!(self, Self::LOG_ERROR | Self::LOG_FATAL)
    }

    /// Returns whether the server sends this kind of message to reject a request.
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
