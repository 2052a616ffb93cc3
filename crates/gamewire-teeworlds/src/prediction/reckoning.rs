//! Dead reckoning: characters move without input.

use std::sync::LazyLock;

use gamewire_tee::core::{CoreContext, CoreItem, evolve};
use gamewire_tee::game_map::GameMap;
use gamewire_tee::grid::GridLayers;
use gamewire_tee::rules::Rules;
use gamewire_tee::tile::MapTile;
use gamewire_tee::tuning::Tuning;
use gamewire_tee::vector::Vec2;
use gamewire_tee::world::projectile_position;

use super::convert::{core_of, set_core};
use crate::model::World;
use crate::model::world::{Character, Projectile};
use crate::shared::extended::ExtendedObject;
use crate::shared::extended::value::ProjectileFlags;
use crate::shared::value::Weapon;

/// Maximum age of a character in a snapshot, in ticks. Servers send it again after this time. An older one is not
/// advanced to the tick of its snapshot, as in DDNet.
pub const MAX_AGE: i32 = 150;

/// Maximum number of ticks from a snapshot to the world that is computed from it, as in the games.
pub const MAX_AHEAD: i32 = 50;

impl World {
    /// Returns the world at a tick: each character is advanced from its own tick without input, as the games' clients do.
    /// All other fields stay as they are. `tick` is limited to the tick of the snapshot and [`MAX_AHEAD`] ticks after it.
    ///
    /// At the tick of the snapshot, with the map, the result is equal to the world of the server, except for a hook of DDNet
    /// that has passed a teleporter. Without a map, characters do not collide: one with a vertical velocity of zero stays
    /// at its height, and all others fall freely for at most [`MAX_AHEAD`] ticks.
    #[must_use]
    pub fn at(&self, tick: i32, map: Option<&GameMap>) -> Self {
        let mut world = self.clone();
        world.advance(tick, map);
        world
    }

    /// Advances the characters to a tick: see [`World::at`].
    pub(super) fn advance(&mut self, tick: i32, map: Option<&GameMap>) {
        let (shown, is_paused) = (self.tick, self.game.is_paused);
        let ahead = if is_paused { 0 } else { MAX_AHEAD };
        let tick = tick.clamp(shown, shown.saturating_add(ahead));
        for character in &mut self.characters {
            advance_character(character, shown, tick, map);
        }
        self.tick = tick;
    }

    /// Returns the position of a projectile at a tick. `tuning` has the tune params of the server. For a plain
    /// projectile, snapshots have only whole units of the position and hundredths of the direction. One of DDNet is
    /// exact.
    pub fn projectile_position(&self, projectile: &Projectile, tick: i32, tuning: &Tuning) -> Vec2 {
        let (curvature, speed) = match projectile.weapon {
            Weapon::GRENADE => (tuning.grenade_curvature, tuning.grenade_speed),
            Weapon::SHOTGUN => (tuning.shotgun_curvature, tuning.shotgun_speed),
            _ => (tuning.gun_curvature, tuning.gun_speed),
        };
        let extended = self.extended_of(projectile.id).find_map(|object| match object {
            ExtendedObject::DdnetProjectile(projectile) => Some(projectile),
            _ => None,
        });
        let vector = |x: i32, y: i32, scale: f32| Vec2::new(x as f32 / scale, y as f32 / scale);
        let (start, direction) = match extended {
            Some(sent) if sent.flags.contains(ProjectileFlags::NORMALIZE_VEL) => {
                (vector(sent.x, sent.y, 100.0), vector(sent.vel_x, sent.vel_y, 1.0).normalized(true))
            }
            Some(sent) => (vector(sent.x, sent.y, 100.0), vector(sent.vel_x, sent.vel_y, 1e6)),
            None => {
                (vector(projectile.x, projectile.y, 1.0), vector(projectile.vel_x, projectile.vel_y, 100.0))
            }
        };
        let seconds = tick.saturating_sub(projectile.start_tick) as f32 / 50.0;
        projectile_position(start, direction, curvature, speed, seconds)
    }
}

impl Character {
    /// Returns the number of ticks from the tick of the character to the snapshot of tick `shown`; 0 if it is older than
    /// [`MAX_AGE`] or has no tick, because it is not advanced then.
    #[must_use]
    pub fn age(&self, shown: i32) -> i32 {
        let age = shown.saturating_sub(self.tick);
        if self.tick > 0 && (0..=MAX_AGE).contains(&age) { age } else { 0 }
    }
}

/// Advances a character of the snapshot of tick `shown` to `tick`.
fn advance_character(character: &mut Character, shown: i32, tick: i32, map: Option<&GameMap>) {
    let from = shown.saturating_sub(character.age(shown));
    let ticks = tick.saturating_sub(from).max(0).unsigned_abs();
    let core = core_of(character);
    let core = match map {
        Some(map) => evolve_on(map, &core, ticks),
        None => evolve_without_map(&core, ticks.min(MAX_AHEAD.unsigned_abs())),
    };
    set_core(character, &core, tick);
}

fn evolve_on(map: &GameMap, core: &CoreItem, ticks: u32) -> CoreItem {
    let context = CoreContext {
        rules: map.rules(),
        grid: map.grid(),
        tuning: map.defaults(),
        open_switches: CoreContext::NO_OPEN_SWITCHES,
    };
    evolve(&context, core, ticks)
}

/// Row of the floor in [`FLOOR`].
const FLOOR_ROW: i32 = 4;
const TILE: i32 = 32;
/// Distance from a tee's center to the position below it that must be solid for it to stand.
const FOOT: i32 = 19;

/// A map without walls.
static NOTHING: LazyLock<Option<GameMap>> = LazyLock::new(|| column(1, 1));
/// A map with a floor and nothing else.
static FLOOR: LazyLock<Option<GameMap>> = LazyLock::new(|| column(8, FLOOR_ROW.unsigned_abs()));

/// Returns a map one tile wide, which is solid from a row on.
fn column(height: u32, floor: u32) -> Option<GameMap> {
    let game = (0..height).map(|row| MapTile { index: u8::from(row >= floor), flags: 0 }).collect();
    GameMap::new(Rules::Teeworlds07, GridLayers { width: 1, height, game, ..GridLayers::default() }).ok()
}

/// Advances a core without a map. A tee without a vertical velocity keeps its height.
fn evolve_without_map(core: &CoreItem, ticks: u32) -> CoreItem {
    let row = core.y.saturating_add(FOOT).div_euclid(TILE);
    let down = FLOOR_ROW.saturating_sub(row).saturating_mul(TILE);
    let stands = core.velocity_y == 0 && core.y.saturating_add(FOOT).rem_euclid(TILE) < 5;
    let (map, down) = if stands { (&FLOOR, down) } else { (&NOTHING, 0) };
    let Some(map) = map.as_ref() else { return *core };
    let moved =
        CoreItem { y: core.y.saturating_add(down), hook_y: core.hook_y.saturating_add(down), ..*core };
    let moved = evolve_on(map, &moved, ticks);
    CoreItem { y: moved.y.saturating_sub(down), hook_y: moved.hook_y.saturating_sub(down), ..moved }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::ClientId;
    use crate::model::world::ExtendedItem;
    use crate::shared::extended::object::DdnetProjectile;
    use crate::shared::value::Tick;

    fn world_of(character: Character) -> World {
        World { tick: 1000, characters: vec![character], ..World::default() }
    }

    #[test]
    fn a_core_of_unknown_age_starts_at_the_snapshot() {
        let falling = |tick| Character { vel_y: 0, ..Character::new(ClientId(0), tick, 100, 100) };
        for tick in [0, -5, 1000 - MAX_AGE - 1, 1001] {
            let world = world_of(falling(tick)).at(1002, NOTHING.as_ref());
            assert_eq!((world.characters[0].vel_y, world.characters[0].tick), (256, 1002), "{tick}");
        }
        let world = world_of(falling(998)).at(1002, NOTHING.as_ref());
        assert_eq!(world.characters[0].vel_y, 4 * 128);
    }

    #[test]
    fn a_paused_game_does_not_go_on() {
        let mut world = world_of(Character::new(ClientId(0), 1000, 100, 100));
        world.game.is_paused = true;
        assert_eq!(world.at(1040, NOTHING.as_ref()), world);
    }

    #[test]
    fn a_projectile_flies_by_the_tunings() {
        let tuning = Tuning::new(Rules::Teeworlds07);
        let sent = DdnetProjectile {
            x: 10_050,
            y: 20_000,
            vel_x: 5_000_000,
            kind: Weapon::GRENADE,
            start_tick: Tick(100),
            flags: ProjectileFlags::NORMALIZE_VEL,
            ..DdnetProjectile::default()
        };
        let shown = Projectile::of_ddnet(3, &sent);
        let mut world = World { projectiles: vec![shown], ..World::default() };
        let at = world.projectile_position(&shown, 125, &tuning);
        assert_eq!(at, Vec2::new(600.0, 375.0), "a plain projectile starts at a whole unit");
        world.extended.push(ExtendedItem { id: 3, object: ExtendedObject::DdnetProjectile(sent) });
        assert_eq!(world.projectile_position(&shown, 125, &tuning), Vec2::new(600.5, 375.0));
    }
}
