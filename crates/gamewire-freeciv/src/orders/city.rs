use super::error::OrderError;
use super::player::orders;
use super::unit::moves;
use crate::codec::{ShortList, Text, Work};
use crate::number::Production;
use crate::packets::{
    CityBuy, CityChange, CityChangeSpecialist, CityMakeSpecialist, CityMakeWorker, CityRallyPoint,
    CityRename, CitySell, CityWorklist,
};
use crate::world::World;
use crate::world::map::Direction8;

/// Maximum number of items of a worklist.
const MAX_WORKLIST: usize = 64;

orders! {
    /// Sets the production of a city.
    set_production(city: u32, production: Production) -> CityChange =
        CityChange { city_id: city, production_kind: production.kind.0, production_value: production.id };

    /// Buys the production of a city, which completes it at the end of the turn.
    buy(city: u32) -> CityBuy = CityBuy { city_id: city };

    /// Sells a building of a city.
    sell_building(city: u32, building: u8) -> CitySell = CitySell { city_id: city, build_id: building };
}

/// Sets the list of items that a city produces after the current production.
///
/// # Errors
/// [`OrderError::TooMany`] if there are more than 64 items.
pub fn set_worklist(city: u32, worklist: &[Production]) -> Result<CityWorklist, OrderError> {
    if worklist.len() > MAX_WORKLIST {
        return Err(OrderError::TooMany { max: MAX_WORKLIST });
    }
    let work = |production: &Production| Work { kind: production.kind.0, id: production.id };
    Ok(CityWorklist { city_id: city, worklist: ShortList(worklist.iter().map(work).collect()) })
}

orders! {
    /// Turns the citizen who works a tile into a specialist. For the tile of the city itself, the server rearranges all
    /// citizens.
    make_specialist(city: u32, tile: i32) -> CityMakeSpecialist =
        CityMakeSpecialist { city_id: city, tile_id: tile };

    /// Turns a specialist into a worker of a tile.
    make_worker(city: u32, tile: i32) -> CityMakeWorker = CityMakeWorker { city_id: city, tile_id: tile };

    /// Changes a specialist to another kind, by ids of the ruleset.
    change_specialist(city: u32, from: u8, to: u8) -> CityChangeSpecialist =
        CityChangeSpecialist { city_id: city, from, to };
}

/// Renames a city.
///
/// # Errors
/// [`OrderError::Text`] if the name is too long.
pub fn rename_city(city: u32, name: &str) -> Result<CityRename, OrderError> {
    Ok(CityRename { city_id: city, name: Text::try_from(name)? })
}

/// Sets the rally point of a city: the path on which the server sends new units. `is_persistent` applies it to all new
/// units instead of only the next one. An empty path removes the rally point.
///
/// # Errors
/// [`OrderError::TooMany`] if the path has more than 2000 steps.
pub fn set_rally_point(
    world: &World,
    city: u32,
    path: &[Direction8],
    is_persistent: bool,
) -> Result<CityRallyPoint, OrderError> {
    let (length, orders) = moves(world, path)?;
    Ok(CityRallyPoint { city_id: city, length, persistent: is_persistent, vigilant: false, orders })
}
