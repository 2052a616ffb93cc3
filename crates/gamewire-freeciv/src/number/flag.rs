//! Names of flags and roles in rulesets, in the order of the names in freeciv-server 3.0.6, 3.1.4 and 3.2.6, and compared
//! with the rulesets that these servers send.

use super::versioned::versioned;

versioned! {
    /// A flag of a unit type that the server knows, by its name in rulesets. Rulesets define more.
    UnitTypeFlag;
    CantFortify "Cant_Fortify" 0 _ _;
    HasNoZoc "HasNoZOC" 1 0 0;
    IgZoc "IgZOC" 2 1 1;
    NonMil "NonMil" 3 2 2;
    IgTer "IgTer" 4 3 3;
    OneAttack "OneAttack" 5 _ _;
    FieldUnit "FieldUnit" 6 4 4;
    Provoking "Provoking" 7 5 5;
    PartialInvis "Partial_Invis" 8 _ _;
    Settlers "Settlers" 9 7 7;
    Diplomat "Diplomat" 10 8 8;
    CoastStrict "CoastStrict" 11 9 9;
    Coast "Coast" 12 10 10;
    Shield2Gold "Shield2Gold" 13 11 11;
    Spy "Spy" 14 12 12;
    OnlyNativeAttack "Only_Native_Attack" 15 13 13;
    Fanatic "Fanatic" 16 14 14;
    GameLoss "GameLoss" 17 15 15;
    Unique "Unique" 18 16 16;
    EvacuateFirst "EvacuateFirst" 19 17 17;
    SuperSpy "SuperSpy" 20 18 18;
    NoHome "NoHome" 21 19 19;
    NoVeteran "NoVeteran" 22 20 20;
    CityBuster "CityBuster" 23 21 21;
    NoBuild "NoBuild" 24 22 22;
    BadWallAttacker "BadWallAttacker" 25 23 23;
    BadCityDefender "BadCityDefender" 26 24 24;
    BarbarianOnly "BarbarianOnly" 27 25 25;
    BeachLander "BeachLander" 28 _ _;
    NewCityGamesOnly "NewCityGamesOnly" 29 26 26;
    CanEscape "CanEscape" 30 27 27;
    CanKillEscaping "CanKillEscaping" 31 28 28;
    NeverProtects "NeverProtects" _ 6 6;
    RandomMovement "RandomMovement" _ _ 29;
}

versioned! {
    /// A role of a unit type, by which the server and its AI choose types, by its name in rulesets.
    UnitRole;
    FirstBuild "FirstBuild" 0 0 0;
    Explorer "Explorer" 1 1 1;
    Hut "Hut" 2 2 2;
    HutTech "HutTech" 3 3 3;
    Partisan "Partisan" 4 4 4;
    DefendOk "DefendOk" 5 5 5;
    DefendGood "DefendGood" 6 6 6;
    FerryBoat "FerryBoat" 7 7 7;
    Barbarian "Barbarian" 8 8 8;
    BarbarianTech "BarbarianTech" 9 9 9;
    BarbarianBoat "BarbarianBoat" 10 10 10;
    BarbarianBuild "BarbarianBuild" 11 11 12;
    BarbarianBuildTech "BarbarianBuildTech" 12 12 13;
    BarbarianLeader "BarbarianLeader" 13 13 14;
    BarbarianSea "BarbarianSea" 14 14 15;
    BarbarianSeaTech "BarbarianSeaTech" 15 15 16;
    CitiesStartUnit "CitiesStartUnit" 16 16 17;
    WorkerStartUnit "WorkerStartUnit" 17 17 18;
    ExplorerStartUnit "ExplorerStartUnit" 18 18 19;
    KingStartUnit "KingStartUnit" 19 19 20;
    DiplomatStartUnit "DiplomatStartUnit" 20 20 21;
    FerryStartUnit "FerryStartUnit" 21 21 22;
    DefendOkStartUnit "DefendOkStartUnit" 22 22 23;
    DefendGoodStartUnit "DefendGoodStartUnit" 23 23 24;
    AttackFastStartUnit "AttackFastStartUnit" 24 24 25;
    AttackStrongStartUnit "AttackStrongStartUnit" 25 25 26;
    Hunter "Hunter" 26 26 27;
    Settlers "Settlers" 27 27 28;
    BarbarianBoatTech "BarbarianBoatTech" _ _ 11;
}

versioned! {
    /// A flag of a unit class that the server knows, by its name in rulesets. Rulesets define more.
    UnitClassFlag;
    TerrainSpeed "TerrainSpeed" 0 0 0;
    TerrainDefense "TerrainDefense" 1 1 1;
    DamageSlows "DamageSlows" 2 2 2;
    CanOccupyCity "CanOccupyCity" 3 3 3;
    Missile "Missile" 4 _ _;
    BuildAnywhere "BuildAnywhere" 5 4 4;
    Unreachable "Unreachable" 6 5 5;
    CollectRansom "CollectRansom" 7 6 6;
    Zoc "ZOC" 8 7 7;
    CanFortify "CanFortify" 9 _ _;
    CanPillage "CanPillage" 10 _ _;
    DoesntOccupyTile "DoesntOccupyTile" 11 8 8;
    AttackNonNative "AttackNonNative" 12 9 9;
    KillCitizen "KillCitizen" 13 10 10;
    HutFrighten "HutFrighten" _ 11 11;
    NonNatBombardTgt "NonNatBombardTgt" _ 12 12;
}

versioned! {
    /// A flag of an extra that the server knows, by its name in rulesets. Rulesets define more.
    ExtraFlag;
    NativeTile "NativeTile" 0 0 0;
    Refuel "Refuel" 1 1 1;
    TerrChangeRemoves "TerrChangeRemoves" 2 2 2;
    AutoOnCityCenter "AutoOnCityCenter" 3 3 3;
    AlwaysOnCityCenter "AlwaysOnCityCenter" 4 4 4;
    ConnectLand "ConnectLand" 5 5 5;
    GlobalWarming "GlobalWarming" 6 6 6;
    NuclearWinter "NuclearWinter" 7 7 7;
    ShowFlag "ShowFlag" 8 8 8;
    NaturalDefense "NaturalDefense" 9 9 9;
    NoStackDeath "NoStackDeath" 10 10 10;
    NoAggressive "NoAggressive" _ 11 _;
    CauseZoc "CauseZoC" _ _ 11;
}

versioned! {
    /// A flag of a terrain that the server knows, by its name in rulesets. Rulesets define more.
    TerrainFlag;
    NoBarbs "NoBarbs" 0 0 0;
    NoCities "NoCities" 1 1 1;
    Starter "Starter" 2 2 2;
    CanHaveRiver "CanHaveRiver" 3 3 3;
    UnsafeCoast "UnsafeCoast" 4 4 4;
    FreshWater "FreshWater" 5 5 5;
    NotGenerated "NotGenerated" 6 6 6;
    NoZoc "NoZoc" 7 7 7;
    NoFortify "NoFortify" 8 _ _;
    Frozen "Frozen" 9 8 9;
    EnterBorders "EnterBorders" _ _ 8;
}

versioned! {
    /// A flag of a road that decides how units move, by its name in rulesets. Rulesets have more.
    RoadFlag;
    UnrestrictedInfra "UnrestrictedInfra" 3 1 1;
    JumpFrom "JumpFrom" 4 2 2;
    JumpTo "JumpTo" 5 3 3;
}

versioned! {
    /// A flag of a building that the server knows, by its name in rulesets. Rulesets of 3.2 define more.
    BuildingFlag;
    VisibleByOthers "VisibleByOthers" 0 0 0;
    SaveSmallWonder "SaveSmallWonder" 1 1 1;
    Gold "Gold" 2 2 2;
    DisasterProof "DisasterProof" 3 3 3;
}

versioned! {
    /// A flag of an advance that the server knows, by its name in rulesets. Rulesets define more.
    AdvanceFlag;
    BonusTech "Bonus_Tech" 0 0 0;
    Bridge "Bridge" 1 1 1;
    BuildAirborne "Build_Airborne" 2 2 2;
    ClaimOcean "Claim_Ocean" 3 3 3;
    ClaimOceanLimited "Claim_Ocean_Limited" 4 4 4;
}
