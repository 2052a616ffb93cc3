//! Projectiles, lasers and pickups.

use crate::grid::Grid;
use crate::number::float;
use crate::rules::{Rules, TICKS_PER_SECOND};
use crate::tile::id;
use crate::vector::Vec2;
use crate::weapon::weapon_id;

/// Maximum projectiles and lasers of a world. If there are more, the oldest disappears.
pub(super) const MAX_ENTITIES: usize = 512;
/// Seconds until a ninja appears again.
pub(super) const NINJA_SPAWN_SECONDS: i32 = 90;

/// A projectile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projectile {
    /// The tee that fired it.
    pub owner: Option<usize>,
    /// Its weapon.
    pub weapon: usize,
    /// Position at the start.
    pub start: Vec2,
    /// Direction at the start.
    pub direction: Vec2,
    /// Tick of the start.
    pub start_tick: i32,
    /// Ticks until it disappears.
    pub life: i32,
    /// True if it explodes.
    pub is_explosive: bool,
    /// Curvature of the path.
    pub curvature: f32,
    /// Speed.
    pub speed: f32,
}

/// Returns the position of a projectile some seconds after its start.
#[must_use]
pub fn projectile_position(start: Vec2, direction: Vec2, curvature: f32, speed: f32, seconds: f32) -> Vec2 {
    let time = seconds * speed;
    Vec2::new(
        start.x + direction.x * time,
        start.y + direction.y * time + curvature / 10000.0 * (time * time),
    )
}

impl Projectile {
    /// Returns the position at a tick.
    #[must_use]
    pub fn at(&self, tick: i32) -> Vec2 {
        let seconds = float(tick.wrapping_sub(self.start_tick)) / 50.0;
        projectile_position(self.start, self.direction, self.curvature, self.speed, seconds)
    }
}

/// A laser beam, or in DDNet the beam of a shotgun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laser {
    /// The tee that fired it.
    pub owner: usize,
    /// Position of the end.
    pub at: Vec2,
    /// Position of the start of the last part.
    pub from: Vec2,
    /// Direction.
    pub direction: Vec2,
    /// Length that is left.
    pub energy: f32,
    /// Tick of the last bounce.
    pub bounce_tick: i32,
    /// Number of bounces.
    pub bounces: i32,
    /// True if it pulls instead of hitting.
    pub is_shotgun: bool,
}

/// Kind of a pickup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickupKind {
    /// Armor, or in DDNet a shield that takes the weapons.
    Armor,
    /// Health, or in DDNet a heart that freezes.
    Health,
    /// A weapon by its number.
    Weapon(usize),
    /// The ninja.
    Ninja,
}

/// A pickup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pickup {
    /// Kind.
    pub kind: PickupKind,
    /// Position.
    pub at: Vec2,
    /// Tick at which it appears again; `None` while it is there.
    pub spawn_tick: Option<i32>,
}

/// Returns the pickups of a map.
pub(super) fn pickups_of(rules: Rules, grid: &Grid) -> Vec<Pickup> {
    let mut pickups = Vec::new();
    for (index, tile) in grid.layers.game.iter().enumerate() {
        let kind = match tile.index.wrapping_sub(id::ENTITY_OFFSET) {
            6 => PickupKind::Armor,
            7 => PickupKind::Health,
            8 => PickupKind::Weapon(weapon_id::SHOTGUN),
            9 => PickupKind::Weapon(weapon_id::GRENADE),
            10 => PickupKind::Ninja,
            11 => PickupKind::Weapon(weapon_id::LASER),
            _ => continue,
        };
        let is_late = kind == PickupKind::Ninja && !rules.is_ddnet();
        let spawn_tick = is_late.then_some(NINJA_SPAWN_SECONDS * TICKS_PER_SECOND);
        pickups.push(Pickup { kind, at: grid.center(index), spawn_tick });
    }
    // The newest entity ticks first.
    pickups.reverse();
    pickups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_grenade_is_a_parabola() {
        let at = projectile_position(Vec2::new(100.0, 100.0), Vec2::new(1.0, 0.0), 7.0, 1000.0, 0.5);
        assert_eq!(at, Vec2::new(600.0, 275.0));
    }
}
