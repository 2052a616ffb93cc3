use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use gamewire_freeciv::world::World;

/// The possessions of a nation at the start of a turn, on the server or in the world of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::demo) struct Summary {
    pub(super) turn: i16,
    pub(super) gold: u32,
    /// Number, size and shields of each city.
    pub(super) cities: Vec<(u32, u8, u16)>,
    /// Number and tile of each unit.
    pub(super) units: Vec<(u32, i32)>,
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
