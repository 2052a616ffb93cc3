use crate::number::Output;
use crate::packets::{RulesetExtra, RulesetTerrain};
use crate::rules::tile_output;
use crate::world::{City, Tile, Unit, World};

/// The client's knowledge of a tile, with rules in place of their ids.
#[derive(Clone, Debug)]
pub struct Survey<'w> {
    /// The tile: its owner, extras, and whether the client sees it now.
    pub tile: &'w Tile,
    /// The terrain.
    pub terrain: Option<&'w RulesetTerrain>,
    /// The resource.
    pub resource: Option<&'w RulesetExtra>,
    /// The city on the tile.
    pub city: Option<&'w City>,
    /// The units that the client sees on the tile.
    pub units: Vec<&'w Unit>,
    /// Food, shields and trade that the tile gives without a city: effects of buildings and governments are not
    /// included. `None` if the output depends on something unknown.
    pub output: [Option<i64>; 3],
}

/// Returns the client's knowledge of a tile, or `None` if the tile is unknown.
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
