use serde::Serialize;

use super::{Name, position, rule_name};
use crate::number::Output;
use crate::rules;
use crate::world::{Tile, World};

/// A tile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TileView<'w> {
    /// Number of the tile.
    pub tile: i32,
    /// Column and row.
    pub position: Option<[i32; 2]>,
    /// `seen`, `fogged` or `unknown`.
    pub known: Option<&'static str>,
    /// Name of the terrain.
    pub terrain: Option<Name<'w>>,
    /// Names of the extras, such as roads.
    pub extras: Vec<Name<'w>>,
    /// Number of the owner.
    pub owner: Option<u16>,
    /// Id of the city that works it.
    pub worked_by: Option<u32>,
    /// The output without a city.
    pub output: OutputView,
}

/// The output of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say everything")]
pub struct OutputView {
    pub food: Option<i64>,
    pub shield: Option<i64>,
    pub trade: Option<i64>,
}

impl<'w> TileView<'w> {
    /// Describes a tile.
    pub fn new(world: &'w World, tile: &'w Tile) -> Self {
        let extras = world.rulesets().extras.iter().filter(|extra| tile.has_extra(extra.id));
        let output = |output| rules::tile_output(world, None, tile, output);
        Self {
            tile: tile.tile,
            position: position(world, tile.tile),
            known: tile.known.name(),
            terrain: world.terrain_of(tile).map(rule_name),
            extras: extras.map(rule_name).collect(),
            owner: tile.owner,
            worked_by: tile.worked,
            output: OutputView {
                food: output(Output::FOOD),
                shield: output(Output::SHIELD),
                trade: output(Output::TRADE),
            },
        }
    }
}
