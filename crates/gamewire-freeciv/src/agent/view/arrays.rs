use crate::world::{Tile, World};

/// The value of an array where there is nothing, or nothing is known.
const NOTHING: i32 = -1;

/// A named array of numbers: a layer of the map, or a column of a table.
pub type Column = (&'static str, Vec<i32>);

/// The map as layers of numbers: one number for each tile, in the order of the tiles' numbers. -1 means that there is
/// nothing, or that it is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapLayers {
    /// Number of columns. The tile in column x and row y is at index `y * columns + x`.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// * `known`: 0 if the tile is unknown, 1 if it was seen before, 2 if it is seen now.
    /// * `terrain`: id of the terrain.
    /// * `owner`: number of the player who owns the tile.
    /// * `resource`: id of the extra that is the resource.
    /// * `continent`: number of the continent; -1 and below for oceans, and 0 if it is unknown.
    /// * `worked_by`: id of the city that works the tile, or is on it.
    /// * `city`: id of the city on the tile.
    /// * `units`: number of visible units.
    /// * `units_owner`: number of the player who owns them.
    pub layers: Vec<Column>,
    /// The extras of the ruleset, each with a layer: 1 where it is on the tile, else 0. In the order of their ids.
    pub extras: Vec<Vec<u8>>,
}

impl MapLayers {
    const NAMES: [&str; 9] =
        ["known", "terrain", "owner", "resource", "continent", "worked_by", "city", "units", "units_owner"];

    /// Describes the map; `None` before the server has sent its size.
    pub fn new(world: &World) -> Option<Self> {
        let geometry = world.map().geometry()?;
        let size = usize::try_from(geometry.tiles()).ok()?;
        let count = world.rulesets().extras.len();
        let mut extras = vec![vec![0_u8; size]; count];
        let mut layers = Self::NAMES.map(|name| (name, vec![NOTHING; size]));
        let mut put = |tile: i32, first: usize, values: &[i32]| {
            let Ok(index) = usize::try_from(tile) else { return };
            for ((_, layer), value) in layers.iter_mut().skip(first).zip(values) {
                if let Some(at) = layer.get_mut(index) {
                    *at = *value;
                }
            }
        };
        for tile in 0..geometry.tiles() {
            let known = world.map().tile(tile);
            put(tile, 0, &known.map_or([0, NOTHING, NOTHING, NOTHING, 0, NOTHING], tile_values));
            let units = world.units_at(tile);
            put(tile, 7, &[length(units.count())]);
            put(tile, 6, &[world.cities().at(tile).map_or(NOTHING, |city| number(city.id()))]);
            put(tile, 8, &[world.units_at(tile).next().map_or(NOTHING, |unit| unit.owner().into())]);
        }
        for tile in world.map().tiles() {
            let Ok(index) = usize::try_from(tile.tile) else { continue };
            for extra in tile.extras.iter_ones() {
                if let Some(at) = extras.get_mut(extra).and_then(|layer| layer.get_mut(index)) {
                    *at = 1;
                }
            }
        }
        Some(Self {
            columns: usize::try_from(geometry.xsize()).ok()?,
            rows: usize::try_from(geometry.ysize()).ok()?,
            layers: layers.into(),
            extras,
        })
    }
}

fn tile_values(tile: &Tile) -> [i32; 6] {
    [
        tile.known.0.into(),
        tile.terrain.map_or(NOTHING, Into::into),
        tile.owner.map_or(NOTHING, Into::into),
        tile.resource.map_or(NOTHING, Into::into),
        tile.continent.into(),
        tile.worked.map_or(NOTHING, number),
    ]
}

/// Describes rows as columns. Each column has its name and the value of a row.
macro_rules! columns {
    ($rows:expr, $row:ident, { $($variable:stmt;)* } $($name:literal: $value:expr,)+) => {
        columns([$($name),+], $rows.map(|$row| {
            $($variable)*
            [$($value),+]
        }))
    };
}

/// Describes all known units, by id, as columns of equal length: `id`, `type` (an id), `owner`, `tile`, `x`, `y`, `hp`,
/// `veteran`, `transported_by`; and of own units `moves_left` in fragments, `activity` and `home_city`, which are -1 for
/// others. `is_idle` is 1 if the unit has moves left and nothing to do.
pub fn unit_columns(world: &World) -> Vec<Column> {
    columns! {
        world.units().iter(), unit,
        {
            let [x, y] = super::position(world, unit.tile()).unwrap_or([NOTHING; 2]);
            let full = unit.full();
        }
        "id": number(unit.id()),
        "type": unit.type_id().into(),
        "owner": unit.owner().into(),
        "tile": unit.tile(),
        "x": x,
        "y": y,
        "hp": unit.hp().into(),
        "veteran": unit.veteran().into(),
        "transported_by": unit.transported_by().map_or(NOTHING, number),
        "moves_left": unit.moves_left().map_or(NOTHING, number),
        "activity": full.map_or(NOTHING, |full| full.activity.into()),
        "home_city": full.map_or(NOTHING, |full| number(full.homecity)),
        "is_idle": unit.is_idle().into(),
    }
}

/// Describes all known cities, by id, as columns of equal length: `id`, `owner`, `tile`, `x`, `y`, `size`; and of own
/// cities `production_kind` (as in the protocol), `production` (id of the unit type or building), `food_stock`,
/// `shield_stock`, `buy_cost`, and the surplus of each output, which are -1 or 0 for others.
pub fn city_columns(world: &World) -> Vec<Column> {
    columns! {
        world.cities().iter(), city,
        {
            let [x, y] = super::position(world, city.tile()).unwrap_or([NOTHING; 2]);
            let (full, production) = (city.full(), city.production());
            let [food, shield, trade, gold, luxury, science] = full.map(|full| full.surplus).unwrap_or_default();
        }
        "id": number(city.id()),
        "owner": city.owner().into(),
        "tile": city.tile(),
        "x": x,
        "y": y,
        "size": city.size().into(),
        "production_kind": production.map_or(NOTHING, |it| it.kind.0.into()),
        "production": production.map_or(NOTHING, |it| it.id.into()),
        "food_stock": full.map_or(NOTHING, |full| full.food_stock.into()),
        "shield_stock": full.map_or(NOTHING, |full| full.shield_stock.into()),
        "buy_cost": full.map_or(NOTHING, |full| number(full.buy_cost)),
        "food": food.into(),
        "shield": shield.into(),
        "trade": trade.into(),
        "gold": gold.into(),
        "luxury": luxury.into(),
        "science": science.into(),
    }
}

/// Describes all players, by number, as columns of equal length.
pub fn player_columns(world: &World) -> Vec<Column> {
    columns! {
        world.players(), player, {}
        "player": player.playerno.into(),
        "nation": player.nation.into(),
        "government": player.government.into(),
        "team": player.team.into(),
        "is_alive": player.is_alive.into(),
        "is_ai": world.is_ai(player.playerno).into(),
        "score": player.score,
        "gold": number(player.gold),
        "tax": player.tax.into(),
        "luxury": player.luxury.into(),
        "science": player.science.into(),
    }
}

/// Turns rows into named columns.
fn columns<const N: usize>(names: [&'static str; N], rows: impl Iterator<Item = [i32; N]>) -> Vec<Column> {
    let mut columns = names.map(|name| (name, Vec::new()));
    for row in rows {
        for ((_, column), value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    columns.into()
}

fn number(id: u32) -> i32 {
    i32::try_from(id).unwrap_or(i32::MAX)
}

fn length(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
