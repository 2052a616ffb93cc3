//! Orders to cities that a server refuses or ignores are not offered.

use gamewire_freeciv::codec::{ProtocolVersion, UnitOrder};
use gamewire_freeciv::legal::{Actor, LegalKind, LegalTarget, Part};
use gamewire_freeciv::number::{DiplomaticState, Production, ProductionKind};
use gamewire_freeciv::packets::{CityInfo, CityRallyPoint, Packet, PlayerInfo};
use gamewire_freeciv::world::World;

use super::support::{of_kind, offers, offers_on, offers_part};
use crate::opponent::support::{set_turn, towns};
use crate::path::support::{OTHER, at, put_other, set_relation, set_tile, terrain_id};
use crate::rules::support::{CITY, change_city, give_building};

const ACTOR: Actor = Actor::City(CITY);

fn building(world: &World, name: &str) -> Part {
    Part::Building(world.building(name).unwrap().id)
}

fn set_gold(world: &mut World, gold: u32) {
    let me = PlayerInfo { gold, ..world.me().unwrap().clone() };
    world.apply(&Packet::PlayerInfo(&me));
}

fn make(world: &mut World, name: &str) {
    let Production { kind, id } = world.rulesets().production(name).unwrap();
    change_city(world, |city| (city.production_kind, city.production_value) = (kind.0, id));
}

/// Returns towns with 100 gold in turn 9, whose production costs 50 gold.
fn rich(change: impl Fn(&mut CityInfo)) -> [(ProtocolVersion, World); 3] {
    towns("Grassland").map(|(version, mut world)| {
        set_turn(&mut world, 9);
        set_gold(&mut world, 100);
        change_city(&mut world, |city| city.buy_cost = 50);
        change_city(&mut world, &change);
        (version, world)
    })
}

fn can_buy(world: &World) -> bool {
    offers(world, ACTOR, LegalKind::Buy)
}

#[test]
fn a_city_buys_what_the_player_can_pay() {
    for (version, mut world) in rich(|_| {}) {
        assert!(can_buy(&world), "{version}");
        set_gold(&mut world, 49);
        assert!(!can_buy(&world), "{version}");
    }
}

#[test]
fn a_city_buys_once_in_a_turn_and_not_in_the_turn_of_its_foundation() {
    for (version, world) in rich(|city| city.did_buy = true) {
        assert!(!can_buy(&world), "{version}: second purchase");
    }
    for (version, world) in rich(|city| city.turn_founded = 9) {
        assert!(!can_buy(&world), "{version}: founded now");
    }
}

#[test]
fn complete_production_and_coinage_are_not_bought() {
    for (version, mut world) in rich(|_| {}) {
        make(&mut world, "Coinage");
        assert!(!can_buy(&world), "{version}: coinage");
    }
    for (version, world) in rich(|city| city.buy_cost = 0) {
        assert!(!can_buy(&world), "{version}: complete");
    }
}

#[test]
fn a_city_in_disorder_buys_buildings_but_no_units() {
    let disorder = |city: &mut CityInfo| {
        city.ppl_unhappy = [2; 6];
        city.anarchy = city.anarchy.map(|_| 1);
    };
    for (version, mut world) in rich(disorder) {
        // Since 3.2 with the capability hap2clnt, the server sends the turns of disorder.
        change_city(&mut world, |city| {
            city.anarchy = city.anarchy.filter(|_| version == ProtocolVersion::V3_2)
        });
        assert!(!can_buy(&world), "{version}: warriors");
        make(&mut world, "Barracks");
        assert!(can_buy(&world), "{version}: barracks");
    }
}

#[test]
fn a_bought_production_is_not_changed() {
    for (version, mut world) in towns("Grassland") {
        assert!(offers(&world, ACTOR, LegalKind::Produce), "{version}");
        change_city(&mut world, |city| city.did_buy = true);
        assert!(!offers(&world, ACTOR, LegalKind::Produce), "{version}");
        assert!(offers(&world, ACTOR, LegalKind::AddToWorklist), "{version}");
    }
}

#[test]
fn the_present_production_is_not_offered() {
    for (version, world) in towns("Grassland") {
        let warriors = Part::UnitType(world.unit_type("Warriors").unwrap().id.try_into().unwrap());
        assert!(!offers_part(&world, ACTOR, LegalKind::Produce, warriors), "{version}");
    }
}

#[test]
fn an_empty_worklist_is_not_cleared() {
    for (version, world) in towns("Grassland") {
        assert!(!offers(&world, ACTOR, LegalKind::ClearWorklist), "{version}");
    }
}

#[test]
fn one_improvement_is_sold_in_a_turn_and_no_wonder() {
    for (version, mut world) in towns("Grassland") {
        give_building(&mut world, "Barracks");
        give_building(&mut world, "Pyramids");
        let sold: Vec<Part> = of_kind(&world, ACTOR, LegalKind::Sell).iter().map(|it| it.key.part).collect();
        assert_eq!(sold, [building(&world, "Barracks")], "{version}");
        change_city(&mut world, |city| city.did_sell = true);
        assert!(!offers(&world, ACTOR, LegalKind::Sell), "{version}");
    }
}

#[test]
fn specialists_are_needed_for_a_tile_and_to_change_them() {
    for (version, mut world) in towns("Grassland") {
        for kind in [LegalKind::MakeWorker, LegalKind::ChangeSpecialist] {
            assert!(!offers(&world, ACTOR, kind), "{version} {kind:?}");
        }
        change_city(&mut world, |city| city.specialists = vec![1, 0, 0]);
        assert!(offers(&world, ACTOR, LegalKind::MakeWorker), "{version}");
    }
}

#[test]
fn tiles_of_others_of_enemies_and_in_fog_are_not_worked() {
    let tile = at(5, 4);
    let works = |world: &World| offers_on(world, ACTOR, LegalKind::MakeWorker, LegalTarget::Tile(tile));
    for (version, mut world) in towns("Grassland") {
        change_city(&mut world, |city| city.specialists = vec![1, 0, 0]);
        assert!(works(&world), "{version}");
        set_tile(&mut world, tile, |_, info| info.owner = OTHER);
        assert!(!works(&world), "{version}: foreign");
        set_tile(&mut world, tile, |_, info| info.known = 1);
        assert!(!works(&world), "{version}: fog");
        set_tile(&mut world, tile, |_, info| info.worked = 77);
        assert!(!works(&world), "{version}: another city");
        set_tile(&mut world, tile, |_, _| {});
        put_other(&mut world, 950, "Warriors", tile);
        set_relation(&mut world, DiplomaticState::PEACE.0);
        assert!(works(&world), "{version}: peace");
        set_relation(&mut world, DiplomaticState::WAR.0);
        assert!(!works(&world), "{version}: war");
    }
}

#[test]
fn rally_points_are_new_and_on_the_same_continent() {
    for (version, mut world) in towns("Grassland") {
        let east = LegalTarget::Tile(at(5, 4));
        let rallies = |world: &World| offers_on(world, ACTOR, LegalKind::Rally, east);
        // Servers of 3.0 do not report rally points.
        let is_reported = version != ProtocolVersion::V3_0;
        assert_eq!(rallies(&world), is_reported, "{version}");
        assert!(!offers(&world, ACTOR, LegalKind::ClearRally), "{version}");
        if !is_reported {
            continue;
        }
        let order = UnitOrder { dir: 4, ..UnitOrder::default() };
        let point =
            CityRallyPoint { city_id: CITY, length: 1, orders: vec![order], ..CityRallyPoint::default() };
        world.apply(&Packet::CityRallyPoint(&point));
        assert!(
            !rallies(&world) && offers(&world, ACTOR, LegalKind::ClearRally),
            "{version}: the same point"
        );
        set_tile(&mut world, at(4, 5), |world, info| {
            (info.terrain, info.continent) = (terrain_id(world, "Ocean"), -1);
        });
        let south = LegalTarget::Tile(at(4, 5));
        assert!(!offers_on(&world, ACTOR, LegalKind::Rally, south), "{version}: sea");
    }
}

#[test]
fn a_full_worklist_takes_no_more() {
    for (version, mut world) in towns("Grassland") {
        let kind = ProductionKind::UNIT.0;
        change_city(&mut world, |city| {
            let work = gamewire_freeciv::codec::Work { kind, id: 0 };
            city.worklist.0 = vec![work; 64];
        });
        assert!(!offers(&world, ACTOR, LegalKind::AddToWorklist), "{version}");
        assert!(offers(&world, ACTOR, LegalKind::ClearWorklist), "{version}");
    }
}
