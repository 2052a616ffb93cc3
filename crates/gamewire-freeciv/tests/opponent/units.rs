//! Orders of settlers, defenders and attackers.

use gamewire_freeciv::number::{Action, Activity, DiplomaticState};
use gamewire_freeciv::packets::{CityShortInfo, OwnedPacket, Packet};
use gamewire_freeciv::world::World;

use super::support::{add, grown, has, orders, towns};
use crate::path::support::{OTHER, UNIT, at, maps, put, put_other, set_relation};
use crate::rules::support::{city, learn};

/// Returns whether a unit is ordered to perform an action.
fn performs(world: &World, orders: &[OwnedPacket], unit: u32, action: Action) -> bool {
    let number = action.number(world.version());
    has(orders, |order| match order {
        Packet::UnitDoAction(order) => order.actor_id == unit && Some(order.action_type) == number,
        _ => false,
    })
}

#[test]
fn settlers_found_a_city_or_go_to_a_place_for_one_in_every_version() {
    for (version, world) in crate::world::replay::replay_each_version() {
        let settlers: Vec<u32> = world.my_units_of("Settlers").map(|unit| unit.id()).collect();
        let cities = world.my_cities().count();
        let orders = orders(&world);
        let ordered = has(&orders, |order| match order {
            Packet::UnitDoAction(action) => settlers.contains(&action.actor_id),
            Packet::UnitOrders(orders) => settlers.contains(&orders.unit_id),
            _ => false,
        });
        assert!(cities > 0 || ordered, "{version}: {cities} cities, {settlers:?}: {orders:?}");
    }
}

#[test]
fn a_defender_fortifies_in_its_city() {
    for (version, mut world) in towns("Grassland") {
        let tile = city(&world).tile();
        add(&mut world, 701, "Warriors", tile);
        let fortify = Activity::Fortifying.number(version);
        let fortifies = has(&orders(&world), |order| match order {
            Packet::UnitChangeActivity(order) => order.unit_id == 701 && Some(order.activity) == fortify,
            _ => false,
        });
        assert!(fortifies, "{version}");
    }
}

#[test]
fn a_strong_unit_attacks_a_weak_enemy_next_to_it_in_war_only() {
    for (enemy, state, attacks) in [
        ("Warriors", DiplomaticState::WAR, true),
        ("Warriors", DiplomaticState::PEACE, false),
        ("Musketeers", DiplomaticState::WAR, false),
    ] {
        for (version, mut world) in maps("Grassland") {
            put(&mut world, "Knights", at(4, 4));
            put_other(&mut world, 900, enemy, at(4, 5));
            set_relation(&mut world, state.0);
            let orders = orders(&world);
            assert_eq!(performs(&world, &orders, UNIT, Action::Attack), attacks, "{version} {enemy}");
        }
    }
}

#[test]
fn an_empty_city_of_an_enemy_is_taken() {
    for (version, mut world) in maps("Grassland") {
        put(&mut world, "Knights", at(4, 4));
        set_relation(&mut world, DiplomaticState::WAR.0);
        let other =
            CityShortInfo { id: 910, tile: at(4, 5), owner: OTHER, size: 3, ..CityShortInfo::default() };
        world.apply(&Packet::CityShortInfo(&other));
        let orders = orders(&world);
        assert!(performs(&world, &orders, UNIT, Action::ConquerCity), "{version}: {orders:?}");
    }
}

#[test]
fn obsolete_defenders_that_a_city_does_not_need_are_recycled() {
    for (defenders, recycles) in
        [(vec!["Warriors", "Pikemen", "Pikemen"], true), (vec!["Warriors", "Pikemen"], false)]
    {
        for (version, mut world) in grown(&defenders) {
            learn(&mut world, &["Bronze Working", "Feudalism"]);
            let orders = orders(&world);
            let is_recycled = performs(&world, &orders, 701, Action::DisbandUnitRecover);
            assert_eq!(is_recycled, recycles, "{version} {defenders:?}");
        }
    }
}
