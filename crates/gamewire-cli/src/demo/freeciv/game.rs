use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::number::{Action, Activity, ProductionKind};
use gamewire_freeciv::packets::{
    CityInfo, MapInfo, OwnedPacket, Packet, PlayerInfo, ResearchInfo, TileInfo, UnitDoAction, UnitInfo,
    UnitRemove,
};
use gamewire_freeciv::world::World;
use gamewire_freeciv::world::map::{BadMapSize, Direction8, MapGeometry, Topology};

use super::rules::{self, MOVES, OCEAN, SETTLERS, WARRIORS, text};

/// Columns and rows of the map.
const WIDTH: u16 = 32;
const HEIGHT: u16 = 20;
/// The owner number of tiles without an owner.
const NOBODY: u16 = 255;
/// Maximum units of a nation.
const MAX_UNITS: usize = 60;
/// Squared distance around a city in which no other city can be founded.
const SPACING: u16 = 2;
/// Squared radius of the tiles that a city works.
const RADIUS: u8 = 5;
/// Gold of a nation at the start.
const START_GOLD: u32 = 50;

/// The game on the server. It executes orders and ends turns. Its state is the packets that describe it.
#[derive(Debug)]
pub(super) struct Game {
    geometry: MapGeometry,
    pub(super) turn: i16,
    nations: Vec<PlayerInfo>,
    cities: BTreeMap<u32, CityInfo>,
    units: BTreeMap<u32, UnitInfo>,
    /// Ordered steps that units have not done yet.
    paths: BTreeMap<u32, VecDeque<Direction8>>,
    /// The number of the last unit or city.
    last: u32,
}

impl Game {
    pub(super) fn new() -> Result<Self, BadMapSize> {
        Ok(Self {
            geometry: MapGeometry::new(WIDTH, HEIGHT, Topology::from_bits(0))?,
            turn: 0,
            nations: Vec::new(),
            cities: BTreeMap::new(),
            units: BTreeMap::new(),
            paths: BTreeMap::new(),
            last: 100,
        })
    }

    /// Adds a nation with its first units. Returns its number.
    pub(super) fn join(&mut self, name: &str) -> u16 {
        let number = u16::try_from(self.nations.len()).unwrap_or(u16::MAX);
        // The nations start apart from each other.
        let place = |number: u16, step: u16| i32::from(number.saturating_mul(step).saturating_add(3));
        let start = self.geometry.tile(place(number % 4, 8), place(number / 4 % 4, 4)).unwrap_or_default();
        for _ in 0..2 {
            self.add_unit(number, SETTLERS, start);
        }
        self.nations.push(PlayerInfo {
            playerno: number,
            name: text(name),
            username: text(name),
            nation: number.cast_signed(),
            team: number,
            is_alive: true,
            is_connected: true,
            gold: START_GOLD,
            tax: 100,
            ..PlayerInfo::default()
        });
        number
    }

    /// Executes an order of a player. Returns packets with the changes, for all players, or `None` if the game does not
    /// allow the order.
    pub(super) fn order(&mut self, player: u16, order: Packet<'_>) -> Option<Vec<OwnedPacket>> {
        let changed: Packet<'_> = match order {
            Packet::UnitDoAction(order) => return self.found_city(player, order),
            Packet::UnitOrders(order) => {
                let steps = order.dir.iter().flatten();
                let path = steps.map_while(|number| Direction8::from_number(*number)).collect();
                self.unit_of(player, order.unit_id)?;
                self.paths.insert(order.unit_id, path);
                self.walk(order.unit_id);
                self.units.get(&order.unit_id)?.into()
            }
            Packet::UnitChangeActivity(order) => {
                let activity = Activity::of(ProtocolVersion::V3_0, order.activity)?;
                let unit = self.unit_of(player, order.unit_id)?;
                // The server needs no turn to fortify a unit.
                let set = if activity == Activity::Fortifying { Activity::Fortified } else { Activity::Idle };
                unit.activity = set.number(ProtocolVersion::V3_0)?;
                (&*unit).into()
            }
            Packet::CityChange(order) if order.production_kind == ProductionKind::UNIT.0 => {
                rules::unit_rule(order.production_value)?;
                let city = self.cities.get_mut(&order.city_id).filter(|city| city.owner == player)?;
                city.production_value = order.production_value;
                rules::update(city);
                (&*city).into()
            }
            _ => return None,
        };
        Some(vec![changed.into()])
    }

    /// Returns a unit if it belongs to a player.
    fn unit_of(&mut self, player: u16, id: u32) -> Option<&mut UnitInfo> {
        self.units.get_mut(&id).filter(|unit| unit.owner == player)
    }

    /// Founds a city with a unit, which is removed.
    fn found_city(&mut self, player: u16, order: &UnitDoAction) -> Option<Vec<OwnedPacket>> {
        let unit = self.unit_of(player, order.actor_id)?;
        let (unit_id, tile) = (unit.id, unit.tile);
        let is_founder = unit.r#type == u16::from(SETTLERS)
            && Action::of(ProtocolVersion::V3_0, order.action_type) == Some(Action::FoundCity);
        let mut around = self.geometry.within(tile, SPACING);
        if !is_founder || around.any(|near| self.cities.values().any(|city| city.tile == near)) {
            return None;
        }
        let mut city = CityInfo {
            id: self.next_id(),
            tile,
            owner: player,
            size: 1,
            city_radius_sq: RADIUS,
            production_kind: ProductionKind::UNIT.0,
            production_value: WARRIORS,
            turn_founded: self.turn,
            turn_last_built: self.turn,
            name: text(&order.name.to_str_lossy()),
            ..CityInfo::default()
        };
        rules::update(&mut city);
        self.units.remove(&unit_id);
        let packets = vec![Packet::from(&UnitRemove { unit_id }).into(), Packet::from(&city).into()];
        self.cities.insert(city.id, city);
        Some(packets)
    }

    /// Ends a turn and begins the next one.
    pub(super) fn next_turn(&mut self) {
        self.turn = self.turn.saturating_add(1);
        let mut made = Vec::new();
        for nation in &mut self.nations {
            nation.turns_alive = self.turn;
            nation.score = 0;
            let mut units = self.units.values().filter(|unit| unit.owner == nation.playerno).count();
            for city in self.cities.values_mut().filter(|city| city.owner == nation.playerno) {
                let unit = rules::end_turn(city, self.turn, units < MAX_UNITS);
                rules::update(city);
                units = units.saturating_add(usize::from(unit.is_some()));
                nation.gold = nation.gold.saturating_add(city.size.into());
                nation.score = nation.score.saturating_add(city.size.into());
                made.extend(unit.map(|kind| (city.owner, kind, city.tile)));
            }
        }
        for (owner, kind, tile) in made {
            self.add_unit(owner, kind, tile);
        }
        let all: Vec<u32> = self.units.keys().copied().collect();
        self.units.values_mut().for_each(|unit| unit.movesleft = MOVES.into());
        all.into_iter().for_each(|unit| self.walk(unit));
    }

    /// Moves a unit along its path until it has no moves, no path, or no free land before it.
    fn walk(&mut self, id: u32) {
        let Some(owner) = self.units.get(&id).map(|unit| unit.owner) else { return };
        let units = self.units.values().filter(|unit| unit.owner != owner).map(|unit| unit.tile);
        let cities = self.cities.values().filter(|city| city.owner != owner).map(|city| city.tile);
        let foreign: Vec<i32> = units.chain(cities).collect();
        let (Some(unit), Some(path)) = (self.units.get_mut(&id), self.paths.get_mut(&id)) else { return };
        while unit.movesleft > 0
            && let Some(direction) = path.pop_front()
        {
            let next = self.geometry.step(unit.tile, direction);
            match next.filter(|tile| is_land(&self.geometry, *tile) && !foreign.contains(tile)) {
                Some(tile) => unit.tile = tile,
                None => path.clear(),
            }
            unit.movesleft = unit.movesleft.saturating_sub(1);
        }
        unit.has_orders = !path.is_empty();
    }

    fn add_unit(&mut self, owner: u16, kind: u8, tile: i32) {
        let unit = UnitInfo {
            id: self.next_id(),
            owner,
            nationality: owner,
            tile,
            r#type: kind.into(),
            hp: 10,
            movesleft: MOVES.into(),
            ..UnitInfo::default()
        };
        self.units.insert(unit.id, unit);
    }

    const fn next_id(&mut self) -> u32 {
        self.last = self.last.saturating_add(1);
        self.last
    }

    /// Returns the packets of the map: an island.
    pub(super) fn map_packets(&self) -> Vec<OwnedPacket> {
        let info = MapInfo { xsize: WIDTH, ysize: HEIGHT, ..MapInfo::default() };
        let tiles = (0..self.geometry.tiles()).map(|tile| {
            let is_land = is_land(&self.geometry, tile);
            let tile = TileInfo {
                tile,
                continent: is_land.into(),
                known: 2,
                owner: NOBODY,
                extras_owner: NOBODY,
                terrain: if is_land { 1 } else { OCEAN },
                resource: u8::MAX,
                ..TileInfo::default()
            };
            Packet::from(&tile).into()
        });
        core::iter::once(Packet::from(&info).into()).chain(tiles).collect()
    }

    /// Returns the packets of all nations, cities and units.
    pub(super) fn packets(&self) -> Vec<OwnedPacket> {
        let nations = self.nation_packets().into_iter();
        let cities = self.cities.values().map(|city| Packet::from(city).into());
        let units = self.units.values().map(|unit| Packet::from(unit).into());
        nations.chain(cities).chain(units).collect()
    }

    /// Returns the packets of all nations. A nation knows the only advance, which is called None.
    pub(super) fn nation_packets(&self) -> Vec<OwnedPacket> {
        let research = |nation: &PlayerInfo| ResearchInfo {
            id: u8::try_from(nation.playerno).unwrap_or(u8::MAX),
            techs_researched: 1,
            inventions: text("2"),
            ..ResearchInfo::default()
        };
        let packets = |nation| [Packet::from(nation).into(), Packet::from(&research(nation)).into()];
        self.nations.iter().flat_map(packets).collect()
    }

    /// Returns the possessions of a nation.
    pub(super) fn summary(&self, number: u16) -> Option<Summary> {
        let cities = self.cities.values().filter(|city| city.owner == number);
        let units = self.units.values().filter(|unit| unit.owner == number);
        Some(Summary {
            turn: self.turn,
            gold: self.nations.get(usize::from(number))?.gold,
            cities: cities.map(|city| (city.id, city.size, city.shield_stock)).collect(),
            units: units.map(|unit| (unit.id, unit.tile)).collect(),
        })
    }
}

/// The possessions of a nation at the start of a turn, on the server or in the world of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::demo) struct Summary {
    turn: i16,
    gold: u32,
    /// Number, size and shields of each city.
    cities: Vec<(u32, u8, u16)>,
    /// Number and tile of each unit.
    units: Vec<(u32, i32)>,
}

/// The summaries of this turn, by nation number. The server writes them, and the clients compare their worlds with
/// them.
pub(in crate::demo) type Summaries = Rc<RefCell<BTreeMap<u16, Summary>>>;

impl Summary {
    /// Returns the possessions of the client's nation in its world.
    pub(super) fn of(world: &World) -> Option<Self> {
        let cities = world.my_cities().filter_map(|city| city.full());
        Some(Self {
            turn: world.turn(),
            gold: world.me()?.gold,
            cities: cities.map(|city| (city.id, city.size, city.shield_stock)).collect(),
            units: world.my_units().map(|unit| (unit.id(), unit.tile())).collect(),
        })
    }
}

/// Returns whether a tile is land. The border of the map is ocean.
fn is_land(geometry: &MapGeometry, tile: i32) -> bool {
    let is_inside = |place: i32, size: u16| place > 0 && place.saturating_add(1) < i32::from(size);
    let place = geometry.column_and_row(tile);
    place.is_some_and(|(column, row)| is_inside(column, WIDTH) && is_inside(row, HEIGHT))
}

#[cfg(test)]
mod tests {
    use gamewire_freeciv::opponent::Opponent;
    use gamewire_freeciv::packets::{CityChange, ConnInfo, NewYear, ServerJoinReply, UnitOrders};

    use super::*;

    fn apply(world: &mut World, packets: &[OwnedPacket]) {
        packets.iter().for_each(|packet| _ = world.apply(&packet.as_packet()));
    }

    /// Returns a game of two nations, and the world of the first nation.
    fn game() -> (Game, World) {
        let (mut game, mut world) = (Game::new().unwrap(), World::new());
        game.join("one");
        game.join("two");
        let (reply, seat) = (
            ServerJoinReply { you_can_join: true, conn_id: 1, ..ServerJoinReply::default() },
            ConnInfo { id: 1, used: true, established: true, player_num: 0, ..ConnInfo::default() },
        );
        apply(&mut world, &[Packet::from(&reply).into(), Packet::from(&seat).into()]);
        apply(&mut world, &rules::packets());
        apply(&mut world, &game.map_packets());
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
                apply(&mut world, &game.order(0, order.as_packet()).unwrap_or_default());
            }
        }
        let cities = world.my_cities().count();
        assert!(cities >= 6, "{cities}");
        assert!(world.my_units_of("Warriors").count() >= cities);
    }

    #[test]
    fn orders_that_are_not_allowed_change_nothing() {
        let (mut game, _) = game();
        game.next_turn();
        let foreign = *game.units.iter().find(|(_, unit)| unit.owner == 1).unwrap().0;
        let walk = UnitOrders { unit_id: foreign, dir: Some(vec![4]), ..UnitOrders::default() };
        let unknown = UnitOrders { unit_id: 9_999, ..walk.clone() };
        let before = game.summary(1);
        assert!(game.order(0, (&walk).into()).is_none() && game.order(0, (&unknown).into()).is_none());
        assert!(
            game.order(0, (&CityChange { city_id: 1, production_kind: 99, production_value: 0 }).into())
                .is_none()
        );
        assert_eq!(game.summary(1), before);
    }
}
