//! Productions of cities, purchases and worked tiles.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::number::{Action, DiplomaticState, Production};
use gamewire_freeciv::packets::{Packet, PlayerInfo};
use gamewire_freeciv::world::World;

use super::support::{CENTER, add, grown, has, orders, produced, set_turn, towns};
use crate::path::support::{at, put_other, set_relation, set_tile, terrain_id};
use crate::rules::support::{CITY, change_city, city, learn};

fn named(world: &World, name: &str) -> Option<Production> {
    world.rulesets().production(name)
}

#[test]
fn a_bare_city_builds_the_strongest_defender() {
    for (version, mut world) in towns("Grassland") {
        learn(&mut world, &["Bronze Working"]);
        assert_eq!(produced(&orders(&world)), named(&world, "Phalanx"), "{version}");
        learn(&mut world, &["Feudalism"]);
        assert_eq!(produced(&orders(&world)), named(&world, "Pikemen"), "{version}");
    }
}

#[test]
fn a_defended_city_of_three_citizens_builds_settlers() {
    for (version, mut world) in towns("Grassland") {
        let tile = city(&world).tile();
        add(&mut world, 701, "Warriors", tile);
        assert_eq!(produced(&orders(&world)), named(&world, "Settlers"), "{version}");
    }
}

#[test]
fn a_late_city_has_two_defenders() {
    for (defenders, wanted) in [(vec!["Warriors"], true), (vec!["Warriors"; 2], false)] {
        for (version, world) in grown(&defenders) {
            let is_due = produced(&orders(&world)).is_none();
            // The city produces warriors already, so it needs no order for them.
            assert_eq!(is_due, wanted, "{version} {defenders:?}");
        }
    }
}

#[test]
fn unhappy_citizens_get_a_temple() {
    for (version, mut world) in grown(&["Warriors", "Warriors"]) {
        learn(&mut world, &["Ceremonial Burial"]);
        change_city(&mut world, |city| city.ppl_unhappy = [2; 6]);
        assert_eq!(produced(&orders(&world)), named(&world, "Temple"), "{version}");
    }
}

#[test]
fn science_gets_a_library_and_little_science_does_not() {
    for (science, wanted) in [(40, true), (0, false)] {
        for (version, mut world) in grown(&["Warriors", "Warriors"]) {
            learn(&mut world, &["Writing"]);
            change_city(&mut world, |city| city.prod[5] = science);
            let is_library = produced(&orders(&world)) == named(&world, "Library");
            assert_eq!(is_library, wanted, "{version} {science}");
        }
    }
}

/// Returns the tiles that citizens are ordered to leave (false) and to work (true).
fn tile_orders(world: &World) -> Vec<(bool, i32)> {
    let orders = orders(world);
    let tiles = orders.iter().filter_map(|order| match Packet::from(order) {
        Packet::CityMakeSpecialist(order) => Some((false, order.tile_id)),
        Packet::CityMakeWorker(order) => Some((true, order.tile_id)),
        _ => None,
    });
    tiles.collect()
}

/// Returns a town in hills that works hills and has one tile of grassland.
fn hilly() -> [(ProtocolVersion, World); 3] {
    towns("Hills").map(|(version, mut world)| {
        let me = world.my_number().unwrap();
        set_tile(&mut world, at(CENTER.0, CENTER.1 + 1), |_, info| (info.owner, info.worked) = (me, CITY));
        set_tile(&mut world, at(CENTER.0 + 1, CENTER.1), |world, info| {
            (info.owner, info.terrain) = (me, terrain_id(world, "Grassland"));
        });
        (version, world)
    })
}

#[test]
fn a_small_city_works_the_tile_with_more_food() {
    for (version, world) in hilly() {
        assert_eq!(tile_orders(&world), [(false, at(4, 5)), (true, at(5, 4))], "{version}");
    }
}

#[test]
fn a_citizen_of_an_unruly_city_entertains_the_others() {
    for (version, mut world) in hilly() {
        change_city(&mut world, |city| city.ppl_unhappy = [1; 6]);
        assert_eq!(tile_orders(&world), [(false, at(4, 5))], "{version}");
    }
}

#[test]
fn a_caravan_helps_the_wonder_of_its_city() {
    for (version, mut world) in grown(&["Warriors", "Warriors"]) {
        let wonder = named(&world, "Pyramids").unwrap();
        let tile = city(&world).tile();
        change_city(&mut world, |city| {
            (city.production_kind, city.production_value) = (wonder.kind.0, wonder.id);
        });
        add(&mut world, 710, "Caravan", tile);
        let help = Action::HelpWonder.number(version);
        let orders = orders(&world);
        let helps = has(&orders, |order| match order {
            Packet::UnitDoAction(order) => order.actor_id == 710 && Some(order.action_type) == help,
            _ => false,
        });
        assert!(helps, "{version}: {orders:?}");
    }
}

#[test]
fn the_defender_of_a_threatened_city_is_bought() {
    for has_enemy in [true, false] {
        for (version, mut world) in towns("Grassland") {
            let rich = PlayerInfo { gold: 60, ..world.me().unwrap().clone() };
            world.apply(&Packet::PlayerInfo(&rich));
            change_city(&mut world, |city| city.buy_cost = 30);
            set_turn(&mut world, 20);
            set_relation(&mut world, DiplomaticState::WAR.0);
            if has_enemy {
                put_other(&mut world, 900, "Warriors", at(CENTER.0 + 2, CENTER.1));
            }
            let buys = has(&orders(&world), |order| matches!(order, Packet::CityBuy(_)));
            assert_eq!(buys, has_enemy, "{version}");
        }
    }
}
