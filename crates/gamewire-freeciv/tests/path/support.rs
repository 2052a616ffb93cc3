//! A handmade map with the ruleset of a recorded game.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::packets::{MapInfo, Packet, PlayerDiplstate, TileInfo, UnitInfo, UnitShortInfo};
use gamewire_freeciv::path::{Path, path};
use gamewire_freeciv::world::World;

use super::replay::replay_each_version;

/// Number of columns and of rows. The map has eight neighbors for each tile and does not wrap.
pub(crate) const SIZE: u16 = 9;
/// The id of the own unit.
pub(crate) const UNIT: u32 = 800;
/// The number of another player.
pub(crate) const OTHER: u16 = 1;

/// Returns a map of one terrain with the ruleset of each version.
pub(crate) fn maps(terrain: &str) -> [(ProtocolVersion, World); 3] {
    replay_each_version().map(|(version, mut world)| {
        world.apply(&Packet::MapInfo(&MapInfo { xsize: SIZE, ysize: SIZE, ..MapInfo::default() }));
        for tile in 0..i32::from(SIZE) * i32::from(SIZE) {
            set_tile(&mut world, tile, |world, info| info.terrain = terrain_id(world, terrain));
        }
        (version, world)
    })
}

pub(crate) fn terrain_id(world: &World, name: &str) -> u8 {
    world.rulesets().terrains.named(name).unwrap().id
}

pub(crate) fn extra_id(world: &World, name: &str) -> usize {
    world.rulesets().extras.named(name).unwrap().id.into()
}

/// Returns the number of the tile in a column and a row.
pub(crate) fn at(x: i32, y: i32) -> i32 {
    x + y * i32::from(SIZE)
}

/// Changes a tile.
pub(crate) fn set_tile(world: &mut World, tile: i32, change: impl FnOnce(&World, &mut TileInfo)) {
    let no_owner = if world.version() == ProtocolVersion::V3_2 { u16::MAX } else { 255 };
    let old = world.map().tile(tile);
    let mut info = TileInfo {
        tile,
        known: 2,
        terrain: old.and_then(|tile| tile.terrain).unwrap_or(255),
        extras: old.map(|tile| tile.extras).unwrap_or_default(),
        owner: no_owner,
        extras_owner: no_owner,
        resource: 250,
        ..TileInfo::default()
    };
    change(world, &mut info);
    world.apply(&Packet::TileInfo(&info));
}

/// Puts extras on tiles.
pub(crate) fn build(world: &mut World, extra: &str, tiles: &[i32]) {
    for tile in tiles {
        set_tile(world, *tile, |world, info| assert!(info.extras.set(extra_id(world, extra), true)));
    }
}

/// Returns an own unit on a tile with all its moves.
pub(crate) fn own_unit(world: &World, id: u32, unit_type: &str, tile: i32) -> UnitInfo {
    let rule = world.unit_type(unit_type).unwrap();
    UnitInfo {
        id,
        owner: world.my_number().unwrap(),
        tile,
        r#type: rule.id,
        hp: rule.hp,
        fuel: rule.fuel,
        movesleft: rule.move_rate,
        ..UnitInfo::default()
    }
}

/// Puts the own unit on a tile with all its moves.
pub(crate) fn put(world: &mut World, unit_type: &str, tile: i32) {
    let unit = own_unit(world, UNIT, unit_type, tile);
    world.apply(&Packet::UnitInfo(&unit));
}

/// Puts a unit of another player on a tile.
pub(crate) fn put_other(world: &mut World, id: u32, unit_type: &str, tile: i32) {
    let r#type = world.unit_type(unit_type).unwrap().id;
    let unit = UnitShortInfo { id, owner: OTHER, tile, r#type, hp: 10, ..UnitShortInfo::default() };
    world.apply(&Packet::UnitShortInfo(&unit));
}

/// Sets the diplomatic state with the other player.
pub(crate) fn set_relation(world: &mut World, state: u8) {
    let me = world.my_number().unwrap();
    for (plr1, plr2) in [(me, OTHER), (OTHER, me)] {
        let relation = PlayerDiplstate { plr1, plr2, r#type: state, ..PlayerDiplstate::default() };
        world.apply(&Packet::PlayerDiplstate(&relation));
    }
}

/// Returns the path of the own unit to a tile.
pub(crate) fn go(world: &World, to: i32) -> Option<Path> {
    path(world, world.unit(UNIT).unwrap(), to)
}

/// Returns the tiles of a path.
pub(crate) fn tiles(path: &Path) -> Vec<i32> {
    path.steps.iter().map(|step| step.tile).collect()
}
