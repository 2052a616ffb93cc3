use crate::number::Output;
use crate::packets::{RulesetExtra, RulesetTerrain};
use crate::rules::tile_output;
use crate::world::{City, Tile, Unit, World};

/// The client's knowledge of a tile, with rules instead of numbers.
#[derive(Clone, Debug)]
pub struct Survey<'w> {
    /// The tile: its owner, extras, and whether it is seen now.
    pub tile: &'w Tile,
    /// The terrain.
    pub terrain: Option<&'w RulesetTerrain>,
    /// The resource.
    pub resource: Option<&'w RulesetExtra>,
    /// The city on it.
    pub city: Option<&'w City>,
    /// The units that the client sees on it.
    pub units: Vec<&'w Unit>,
    /// Food, shields and trade that it gives to no city in particular: effects of buildings and governments are not
    /// in it. `None` where it depends on something unknown.
    pub output: [Option<i64>; 3],
}

/// Returns what the client knows of a tile; `None` if it is unknown.
pub fn survey(world: &World, tile: i32) -> Option<Survey<'_>> {
    let tile = world.map().tile(tile)?;
    let rulesets = world.rulesets();
    Some(Survey {
        tile,
        terrain: world.terrain_of(tile),
        resource: tile.resource.and_then(|resource| rulesets.extras.get(resource)),
        city: world.cities().at(tile.tile),
        units: world.units_at(tile.tile).collect(),
        output: [Output::FOOD, Output::SHIELD, Output::TRADE]
            .map(|output| tile_output(world, None, tile, output)),
    })
}
