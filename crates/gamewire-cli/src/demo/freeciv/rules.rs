//! The rules and the map of the demo's game, all invented.

use gamewire_freeciv::codec::Text;
use gamewire_freeciv::packets::{
    CalendarInfo, GameInfo, MapInfo, RulesetControl, RulesetTerrain, RulesetUnit, RulesetUnitClass,
    RulesetsReady, TileInfo,
};
use gamewire_freeciv::session::server::{ClientId, SendError, Server};

/// Columns and rows of the map.
pub(super) const WIDTH: u16 = 16;
pub(super) const HEIGHT: u16 = 10;
/// The ids of the unit types.
pub(super) const SETTLERS: u16 = 0;
pub(super) const EXPLORER: u16 = 1;

const TERRAINS: [&str; 4] = ["Ocean", "Grassland", "Plains", "Hills"];
const UNITS: [&str; 2] = ["Settlers", "Explorer"];

/// Sends the rules to a client.
pub(super) fn send_rules(server: &mut Server, client: ClientId) -> Result<(), SendError> {
    let control = RulesetControl {
        num_unit_classes: 1,
        num_unit_types: 2,
        terrain_count: 4,
        name: text("gamewire demo"),
        ..RulesetControl::default()
    };
    server.send(client, &control)?;
    let land = RulesetUnitClass {
        name: text("Land"),
        rule_name: text("Land"),
        min_speed: 1,
        ..RulesetUnitClass::default()
    };
    server.send(client, &land)?;
    for (id, name) in (0_u16..).zip(UNITS) {
        let (name, rule_name) = (text(name), text(name));
        let unit = RulesetUnit { id, name, rule_name, move_rate: 3, hp: 10, ..RulesetUnit::default() };
        server.send(client, &unit)?;
    }
    for (id, name) in (0_u8..).zip(TERRAINS) {
        let mut terrain = RulesetTerrain {
            id,
            name: text(name),
            rule_name: text(name),
            movement_cost: 1,
            ..RulesetTerrain::default()
        };
        terrain.native_to.set(0, id > 0);
        server.send(client, &terrain)?;
    }
    server.send(client, &RulesetsReady)?;
    let game = GameInfo { turn: 1, year16: Some(-4000), year: Some(-4000), ..GameInfo::default() };
    server.send(client, &game)?;
    let calendar = CalendarInfo {
        positive_year_label: text("CE"),
        negative_year_label: text("BCE"),
        ..CalendarInfo::default()
    };
    server.send(client, &calendar)?;
    Ok(())
}

/// Sends the whole map to a client.
pub(super) fn send_map(server: &mut Server, client: ClientId) -> Result<(), SendError> {
    server.send(client, &MapInfo { xsize: WIDTH, ysize: HEIGHT, ..MapInfo::default() })?;
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let tile = TileInfo {
                tile: tile(column, row),
                continent: 1,
                known: 2,
                owner: NOBODY,
                extras_owner: NOBODY,
                terrain: terrain(column, row),
                resource: u8::MAX,
                ..TileInfo::default()
            };
            server.send(client, &tile)?;
        }
    }
    Ok(())
}

/// The number for no player.
const NOBODY: u16 = 160;

/// Returns the number of a tile.
pub(super) fn tile(column: u16, row: u16) -> i32 {
    i32::from(row).saturating_mul(WIDTH.into()).saturating_add(column.into())
}

/// Returns the terrain of a tile: an island of three terrains, surrounded by a shore.
fn terrain(column: u16, row: u16) -> u8 {
    let is_shore = |place: u16, size: u16| place == 0 || place.saturating_add(1) == size;
    if is_shore(column, WIDTH) || is_shore(row, HEIGHT) {
        return 0;
    }
    let kinds = [1, 2, 3];
    let kind = usize::from(column.saturating_mul(7) ^ row.saturating_mul(5)).checked_rem(kinds.len());
    kind.and_then(|kind| kinds.get(kind)).copied().unwrap_or(1)
}

/// Converts a short text of the demo.
pub(super) fn text<const N: usize>(text: &str) -> Text<N> {
    Text::try_from(text).unwrap_or_default()
}
