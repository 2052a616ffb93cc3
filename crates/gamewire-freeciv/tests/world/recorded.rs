//! Recorded games, compared with facts from an independent client.

use gamewire_freeciv::number::{Action, DiplomaticState, Production};
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::path;
use gamewire_freeciv::world::{Change, GameState, SettingValue};

use super::replay::{ALL, replay, replay_each_version};

#[test]
fn the_recorded_game_ends_in_the_expected_state() {
    let world = replay("game", &ALL, |_, _| {});
    assert_eq!((world.state(), world.turn(), world.year()), (GameState::Running, 9, -3600));
    assert_eq!((world.my_number(), world.is_observer()), (Some(0), false));

    let shape = world.map().geometry().unwrap();
    assert_eq!((shape.xsize(), shape.ysize()), (28, 56));
    assert!(shape.topology().is_isometric && shape.topology().is_hexagonal);
    assert_eq!(world.map().tiles().len(), 19);

    let leaders: Vec<_> = world.players().map(|player| player.name.to_str_lossy().into_owned()).collect();
    assert_eq!(leaders, ["Maria Theresia", "Dwight Eisenhower", "Jan II Kazimierz", "Tsagadai", "Manuel I"]);
    assert_eq!(world.player_named("alice").map(|player| player.playerno), Some(0));
    let me = world.me().unwrap();
    assert_eq!((me.gold, me.score, me.government), (50, 2, 2));
    assert!(world.diplomacy().relation(1, 2).is_some_and(|relation| relation.state == DiplomaticState::WAR));
}

#[test]
fn units_of_the_recorded_game_are_where_they_were_left() {
    let world = replay("game", &ALL, |_, _| {});
    let units: Vec<_> = world
        .my_units()
        .map(|unit| {
            (unit.id(), unit.tile(), world.type_of(unit).unwrap().rule_name.to_str_lossy().into_owned())
        })
        .collect();
    let expected = [(105, "Settlers"), (118, "Workers"), (119, "Diplomat"), (120, "Explorer")];
    assert_eq!(units, expected.map(|(id, of)| (id, 1166, of.to_owned())));
    assert_eq!(world.units_at(1166).count(), 4);
    assert_eq!(world.my_units_of("Settlers").count(), 1);
    let explorer = world.unit(120).unwrap();
    assert!(explorer.is_idle() && explorer.moves_left() == Some(6));
    let (x, y) = shape_of(&world).column_and_row(1166).unwrap();
    assert_eq!((x, y, world.tile(x, y).unwrap().tile), (18, 41, 1166));
    // All neighbors are known, so the explorer can move to each of them except the sea.
    for tile in world.map().neighbors(1166).filter(|tile| world.is_native(explorer, tile)) {
        assert_eq!(path::path(&world, explorer, tile.tile).map(|path| path.steps.len()), Some(1));
    }
}

#[test]
fn rules_are_found_by_id_and_by_name() {
    let world = replay("join", &ALL, |_, _| {});
    let rules = world.rulesets();
    assert!(rules.is_ready);
    let counts = [rules.unit_types.len(), rules.buildings.len(), rules.advances.len(), rules.terrains.len()];
    assert_eq!(counts, [56, 73, 87, 14]);
    let counts = [rules.extras.len(), rules.nations.len(), rules.governments.len(), rules.actions.len()];
    assert_eq!(counts, [38, 557, 9, 44]);
    assert_eq!((rules.enablers.len(), rules.effects.len()), (37, 446));

    assert_eq!(world.unit_type("Settlers").map(|unit| unit.id), Some(0));
    assert_eq!(rules.production("Warriors"), Some(Production::unit(4)));
    assert_eq!(rules.production("Temple"), Some(Production::building(40)));
    assert_eq!(rules.production("Palantir"), None);
    assert_eq!(
        rules.specialists.get(2_u8).map(|rule| rule.rule_name.to_str_lossy().into_owned()),
        Some("taxman".into())
    );
}

#[test]
fn actions_have_the_numbers_of_each_version() {
    use Action as A;
    /// The names of actions in the rulesets of the servers.
    const SHOWN: [(Action, &str); 18] = [
        (A::EstablishEmbassyStay, "Becom%se Ambassador%s"),
        (A::StealTechEscapeExpected, "Steal %sTechnology and Escape%s"),
        (A::InciteCity, "Incite a %sRevolt%s"),
        (A::EstablishTradeRoute, "Establish Trade %sRoute%s"),
        (A::HelpWonder, "Help %sbuild Wonder%s"),
        (A::BribeUnit, "%sBribe Enemy Unit%s"),
        (A::CaptureUnits, "%sCapture Units%s"),
        (A::FoundCity, "%sBuild City%s"),
        (A::JoinCity, "%sAdd to City%s"),
        (A::ExpelUnit, "%sExpel Unit%s"),
        (A::DisbandUnitRecover, "Dis%sband recovering production%s"),
        (A::DisbandUnit, "Dis%sband without recovering production%s"),
        (A::HomeCity, "Set %sHome City%s"),
        (A::UpgradeUnit, "%sUpgrade Unit%s"),
        (A::AirliftUnit, "%sAirlift to City%s"),
        (A::Attack, "%sAttack%s"),
        (A::ConquerCity, "%sConquer City%s"),
        (A::HealUnit, "Heal %sUnit%s"),
    ];
    for (version, world) in replay_each_version() {
        for (action, shown) in SHOWN {
            let rule = world.rulesets().actions.get(action.number(version).unwrap()).unwrap();
            assert_eq!(rule.ui_name.to_str_lossy(), shown, "{version} {action}");
        }
        let last = Action::ALL.iter().filter_map(|action| action.number(version)).max();
        assert_eq!(world.rulesets().actions.iter().map(|rule| rule.id).max(), last, "{version}");
    }
}

#[test]
fn settings_are_found_by_name() {
    let world = replay("join", &ALL, |_, _| {});
    assert_eq!(world.settings().iter().count(), 134);
    let Some(SettingValue::Int(aifill)) = world.settings().get("aifill") else { panic!("a number") };
    assert_eq!(aifill.val, 5);
    assert!(world.settings().get("no such setting").is_none());
}

#[test]
fn a_client_without_capabilities_has_the_same_year() {
    let with = replay("join", &ALL, |_, _| {});
    let without = replay("join-nocaps", &[], |_, _| {});
    assert_eq!(with.year(), without.year());
    assert_eq!(with.rulesets(), without.rulesets());
    assert_eq!(with.players().len(), without.players().len());
}

#[test]
fn each_turn_is_reported_once_with_its_messages() {
    let mut turns = Vec::new();
    let mut seen = Vec::new();
    let mut appeared = Vec::new();
    let mut messages = 0;
    replay("game", &ALL, |packet, world| {
        if !matches!(packet, Packet::BeginTurn(_)) {
            return;
        }
        for change in world.take_changes() {
            match change {
                Change::TurnBegan { turn } => turns.push(turn),
                Change::TileSeen { tile } => seen.push(tile),
                Change::UnitAppeared { unit } => appeared.push(unit),
                Change::Message(_) => messages += 1,
                _ => {}
            }
        }
    });
    assert_eq!(turns, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(appeared, [105, 118, 119, 120]);
    assert_eq!(seen.len(), 19);
    assert!(messages > 9);
}

#[test]
fn changes_without_packets_are_empty() {
    let mut world = replay("game", &ALL, |_, _| {});
    assert!(!world.take_changes().is_empty());
    assert_eq!(world.take_changes(), []);
}

fn shape_of(world: &gamewire_freeciv::world::World) -> gamewire_freeciv::world::map::MapGeometry {
    *world.map().geometry().unwrap()
}
