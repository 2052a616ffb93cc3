//! The scripted opponent, in recorded games.

use gamewire_freeciv::opponent::Opponent;
use gamewire_freeciv::packets::{OwnedPacket, Packet, PlayerInfo};
use gamewire_freeciv::world::World;

use super::replay::{ALL, replay, replay_each_version};

/// Returns the number of orders of one kind.
fn count(orders: &[OwnedPacket], is_wanted: impl Fn(&Packet<'_>) -> bool) -> usize {
    orders.iter().filter(|order| is_wanted(&Packet::from(*order))).count()
}

#[test]
fn without_a_game_it_orders_nothing() {
    assert!(Opponent::new("bot").turn(&World::new()).is_empty());
}

#[test]
fn settlers_found_a_city_or_go_to_a_place_for_one_in_every_version() {
    for (version, world) in replay_each_version() {
        let settlers: Vec<u32> = world.my_units_of("Settlers").map(|unit| unit.id()).collect();
        let cities = world.my_cities().count();
        let orders = Opponent::new("bot").turn(&world);
        let ordered = count(&orders, |order| match order {
            Packet::UnitDoAction(action) => settlers.contains(&action.actor_id),
            Packet::UnitOrders(orders) => settlers.contains(&orders.unit_id),
            _ => false,
        });
        assert!(cities > 0 || ordered > 0, "{version}: {cities} cities, {settlers:?}: {orders:?}");
        assert_eq!(count(&orders, |order| matches!(order, Packet::PlayerTechGoal(_))), 1, "{version}");
    }
}

#[test]
fn a_treasury_that_is_empty_gets_taxes_and_a_full_one_pays_for_science() {
    let mut world = replay("game", &ALL, |_, _| {});
    let me = world.me().unwrap().clone();
    let mut science = |gold: u32| {
        world.apply(&Packet::PlayerInfo(&PlayerInfo { gold, tax: 0, luxury: 100, science: 0, ..me.clone() }));
        let orders = Opponent::new("bot").turn(&world);
        let rates = orders.iter().find_map(|order| match Packet::from(order) {
            Packet::PlayerRates(rates) => Some((rates.tax, rates.luxury, rates.science)),
            _ => None,
        });
        rates.unwrap()
    };
    assert_eq!(science(0), (60, 0, 40));
    assert_eq!(science(1000), (40, 0, 60));
}
