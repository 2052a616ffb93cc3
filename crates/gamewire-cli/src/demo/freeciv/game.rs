use std::collections::BTreeMap;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::number::{Action, Production, ProductionKind};
use gamewire_freeciv::packets::{OwnedPacket, Packet, PlayerInfo, ResearchInfo, UnitDoAction, UnitRemove};

use super::city::DemoCity;
use super::land::Land;
use super::rules::{EXPLORER, SETTLERS, text};
use super::summary::Summary;
use super::unit::DemoUnit;

/// Maximum units of a nation.
const MAX_UNITS: usize = 60;
/// Squared distance around a city in which no other city can be founded.
const SPACING: u16 = 2;

/// Gold of a nation at the start.
const START_GOLD: u32 = 50;

#[derive(Debug)]
struct Nation {
    number: u16,
    name: String,
    gold: u32,
}

/// The game on the server. It executes orders and ends turns.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) land: Land,
    pub(super) turn: i16,
    nations: Vec<Nation>,
    cities: BTreeMap<u32, DemoCity>,
    units: BTreeMap<u32, DemoUnit>,
    /// The number of the next unit or city.
    next: u32,
}

impl Game {
    pub(super) fn new(land: Land) -> Self {
        let (nations, cities, units) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { land, turn: 0, nations, cities, units, next: 100 }
    }

    /// Adds a nation with its first units. Returns its number.
    pub(super) fn join(&mut self, name: String) -> u16 {
        let number = u16::try_from(self.nations.len()).unwrap_or(u16::MAX);
        let start = self.land.start(number);
        for kind in [SETTLERS, SETTLERS, EXPLORER] {
            self.add_unit(number, kind, start);
        }
        self.nations.push(Nation { number, name, gold: START_GOLD });
        number
    }

    /// Executes an order of a player. Returns packets with the changes, for all players.
    pub(super) fn order(&mut self, player: u16, order: Packet<'_>) -> Vec<OwnedPacket> {
        self.try_order(player, order).unwrap_or_default()
    }

    /// Executes an order of a player. Returns `None` if the game does not allow the order.
    fn try_order(&mut self, player: u16, order: Packet<'_>) -> Option<Vec<OwnedPacket>> {
        match order {
            Packet::UnitDoAction(order) => self.act(player, order),
            Packet::UnitOrders(order) => {
                let unit = self.units.get_mut(&order.unit_id).filter(|unit| unit.owner == player)?;
                unit.order(order);
                self.walk(order.unit_id);
                self.unit_packet(order.unit_id)
            }
            Packet::UnitChangeActivity(order) => {
                let unit = self.units.get_mut(&order.unit_id).filter(|unit| unit.owner == player)?;
                if unit.set_activity(order.activity) { self.unit_packet(order.unit_id) } else { None }
            }
            Packet::CityChange(order) => {
                let wanted =
                    Production { kind: ProductionKind(order.production_kind), id: order.production_value };
                let city = self.cities.get_mut(&order.city_id).filter(|city| city.owner == player)?;
                if city.make(wanted) { self.city_packet(order.city_id) } else { None }
            }
            _ => None,
        }
    }

    /// Founds a city with a unit, or lets the unit join a city. Either removes the unit.
    fn act(&mut self, player: u16, order: &UnitDoAction) -> Option<Vec<OwnedPacket>> {
        let unit = self.units.get(&order.actor_id)?;
        let tile = unit.tile;
        if unit.owner != player || unit.kind != SETTLERS {
            return None;
        }
        let gone = UnitRemove { unit_id: unit.id };
        let mut packets = vec![Packet::from(&gone).into()];
        match Action::of(ProtocolVersion::V3_0, order.action_type)? {
            Action::FoundCity => {
                let mut around = self.land.geometry.within(tile, SPACING);
                if around.any(|near| self.cities.values().any(|city| city.tile == near)) {
                    return None;
                }
                let (id, name) = (self.next_id(), order.name.to_str_lossy().into_owned());
                self.cities.insert(id, DemoCity::found(id, tile, player, name, self.turn));
                packets.extend(self.land.claim(tile, player));
                packets.extend(self.city_packet(id)?);
            }
            Action::JoinCity => {
                let id = u32::try_from(order.target_id).ok()?;
                let city =
                    self.cities.get_mut(&id).filter(|city| city.owner == player && city.tile == tile)?;
                city.join();
                packets.extend(self.city_packet(id)?);
            }
            _ => return None,
        }
        self.units.remove(&order.actor_id);
        Some(packets)
    }

    /// Ends a turn and begins the next one.
    pub(super) fn next_turn(&mut self) {
        self.turn = self.turn.saturating_add(1);
        let mut made = Vec::new();
        for nation in &mut self.nations {
            let mut units = self.units.values().filter(|unit| unit.owner == nation.number).count();
            for city in self.cities.values_mut().filter(|city| city.owner == nation.number) {
                let gives = city.gives(&self.land);
                let unit = city.end_turn(gives, self.turn, units < MAX_UNITS);
                units = units.saturating_add(usize::from(unit.is_some()));
                nation.gold = nation.gold.saturating_add(gives.gold);
                made.extend(unit.map(|kind| (nation.number, kind, city.tile)));
            }
        }
        for (owner, kind, tile) in made {
            self.add_unit(owner, kind, tile);
        }
        let turn = self.turn;
        self.units.values_mut().for_each(|unit| unit.begin_turn(turn));
        let all: Vec<u32> = self.units.keys().copied().collect();
        all.into_iter().for_each(|unit| self.walk(unit));
    }

    /// Moves a unit along its path until it has no moves, no path, or no free tile.
    fn walk(&mut self, id: u32) {
        let Some(owner) = self.units.get(&id).map(|unit| unit.owner) else { return };
        let units = self.units.values().filter(|unit| unit.owner != owner).map(|unit| unit.tile);
        let cities = self.cities.values().filter(|city| city.owner != owner).map(|city| city.tile);
        let foreign: Vec<i32> = units.chain(cities).collect();
        if let Some(unit) = self.units.get_mut(&id) {
            unit.walk(&self.land, |tile| !foreign.contains(&tile));
        }
    }

    fn add_unit(&mut self, owner: u16, kind: u8, tile: i32) {
        let id = self.next_id();
        self.units.insert(id, DemoUnit::new(id, owner, kind, tile));
    }

    const fn next_id(&mut self) -> u32 {
        self.next = self.next.saturating_add(1);
        self.next
    }

    fn nation(&self, number: u16) -> Option<&Nation> {
        self.nations.get(usize::from(number))
    }

    /// Returns the packets of all nations, cities and units.
    pub(super) fn packets(&self) -> Vec<OwnedPacket> {
        let nations = self.nations.iter().filter_map(|nation| self.nation_packets(nation.number)).flatten();
        let cities = self.cities.keys().filter_map(|id| self.city_packet(*id)).flatten();
        let units = self.units.keys().filter_map(|id| self.unit_packet(*id)).flatten();
        nations.chain(cities).chain(units).collect()
    }

    /// Returns the packets of a nation.
    pub(super) fn nation_packets(&self, number: u16) -> Option<Vec<OwnedPacket>> {
        let nation = self.nation(number)?;
        let cities = self.cities.values().filter(|city| city.owner == number);
        let player = PlayerInfo {
            playerno: number,
            name: text(&nation.name),
            username: text(&nation.name),
            score: cities.fold(0, |sum: i32, city| sum.saturating_add(city.size.into())),
            nation: number.cast_signed(),
            team: number,
            is_alive: true,
            is_connected: true,
            turns_alive: self.turn.max(1),
            gold: nation.gold,
            tax: 100,
            ..PlayerInfo::default()
        };
        // The nation knows the only advance, which is called None.
        let research = ResearchInfo {
            id: u8::try_from(number).unwrap_or(u8::MAX),
            techs_researched: 1,
            inventions: text("2"),
            ..ResearchInfo::default()
        };
        Some(vec![Packet::from(&player).into(), Packet::from(&research).into()])
    }

    fn city_packet(&self, id: u32) -> Option<Vec<OwnedPacket>> {
        let city = self.cities.get(&id)?;
        Some(vec![Packet::from(&city.packet(city.gives(&self.land))).into()])
    }

    fn unit_packet(&self, id: u32) -> Option<Vec<OwnedPacket>> {
        let unit = self.units.get(&id)?;
        Some(vec![Packet::from(&unit.packet()).into()])
    }

    /// Returns the possessions of a nation.
    pub(super) fn summary(&self, number: u16) -> Option<Summary> {
        let nation = self.nation(number)?;
        let cities = self.cities.values().filter(|city| city.owner == number);
        let units = self.units.values().filter(|unit| unit.owner == number);
        Some(Summary {
            turn: self.turn,
            gold: nation.gold,
            cities: cities.map(|city| (city.id, city.size, city.shields)).collect(),
            units: units.map(|unit| (unit.id, unit.tile)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use gamewire_freeciv::opponent::Opponent;
    use gamewire_freeciv::packets::{CityChange, ConnInfo, NewYear, ServerJoinReply, UnitOrders};
    use gamewire_freeciv::world::World;

    use super::super::rules;
    use super::*;

    fn apply(world: &mut World, packets: &[OwnedPacket]) {
        packets.iter().for_each(|packet| _ = world.apply(&packet.as_packet()));
    }

    /// Returns a game of two nations, and the world of the first nation.
    fn game() -> (Game, World) {
        let (mut game, mut world) = (Game::new(Land::new().unwrap()), World::new());
        game.join("one".into());
        game.join("two".into());
        let (reply, seat) = (
            ServerJoinReply { you_can_join: true, conn_id: 1, ..ServerJoinReply::default() },
            ConnInfo { id: 1, used: true, established: true, player_num: 0, ..ConnInfo::default() },
        );
        apply(&mut world, &[Packet::from(&reply).into(), Packet::from(&seat).into()]);
        apply(&mut world, &rules::packets());
        apply(&mut world, &game.land.packets());
        (game, world)
    }

    #[test]
    fn the_opponent_expands_and_builds() {
        let ((mut game, mut world), mut opponent) = (game(), Opponent::new("one"));
        for _ in 0..80 {
            game.next_turn();
            let year = NewYear { turn: game.turn, ..NewYear::default() };
            apply(&mut world, &[Packet::from(&year).into()]);
            apply(&mut world, &game.packets());
            assert_eq!(Summary::of(&world), game.summary(0), "turn {}", game.turn);
            for order in opponent.turn(&world) {
                apply(&mut world, &game.order(0, order.as_packet()));
            }
        }
        let cities: Vec<_> = world.my_cities().collect();
        let temple = world.building("Temple").unwrap().id;
        assert!(cities.len() >= 6, "{}", cities.len());
        assert!(cities.iter().any(|city| city.has_building(temple)));
    }

    #[test]
    fn orders_that_are_not_allowed_change_nothing() {
        let (mut game, _) = game();
        game.next_turn();
        let foreign = *game.units.iter().find(|(_, unit)| unit.owner == 1).unwrap().0;
        let walk = UnitOrders { unit_id: foreign, dir: Some(vec![4]), ..UnitOrders::default() };
        let unknown = UnitOrders { unit_id: 9_999, ..walk.clone() };
        let before = game.summary(1);
        assert!(game.order(0, (&walk).into()).is_empty() && game.order(0, (&unknown).into()).is_empty());
        assert!(
            game.order(0, (&CityChange { city_id: 1, production_kind: 99, production_value: 0 }).into())
                .is_empty()
        );
        assert_eq!(game.summary(1), before);
    }
}
