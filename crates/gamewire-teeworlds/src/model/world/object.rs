use crate::model::message::ClientId;
use crate::shared::extended::ExtendedObject;
use crate::shared::extended::object::{DdnetLaser, DdnetPickup, DdnetProjectile};
use crate::shared::extended::value::ProjectileFlags;
use crate::shared::object::ObjectSet as _;
use crate::shared::value::SpecMode;
use crate::shared::value::{Powerup, Sound, Team, Weapon};

/// The kind of a pickup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PickupKind {
    /// Adds one health.
    Health,
    /// Adds one armor.
    Armor,
    /// A hammer.
    Hammer,
    /// A pistol.
    Pistol,
    /// A shotgun.
    Shotgun,
    /// A grenade launcher.
    Grenade,
    /// A laser rifle.
    Rifle,
    /// A ninja sword.
    Ninja,
}

/// An item to pick up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pickup {
    /// The id of its snapshot item.
    pub id: u16,
    /// Position to the right.
    pub x: i32,
    /// Position downwards.
    pub y: i32,
    /// The kind.
    pub kind: PickupKind,
}

/// A projectile, described by the position and tick of its shot. [`World::projectile_position`](super::World::projectile_position)
/// returns its position at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Projectile {
    /// The id of its snapshot item.
    pub id: u16,
    /// Position to the right at the start.
    pub x: i32,
    /// Position downwards at the start.
    pub y: i32,
    /// Direction to the right, in 100ths.
    pub vel_x: i32,
    /// Direction downwards, in 100ths.
    pub vel_y: i32,
    /// The weapon that shot it.
    pub weapon: Weapon,
    /// The tick at which it was shot.
    pub start_tick: i32,
    /// The player that shot it (DDNet).
    pub owner: Option<ClientId>,
}

/// A laser beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Laser {
    /// The id of its snapshot item.
    pub id: u16,
    /// Position of its end to the right.
    pub x: i32,
    /// Position of its end downwards.
    pub y: i32,
    /// Position of its start to the right.
    pub from_x: i32,
    /// Position of its start downwards.
    pub from_y: i32,
    /// The tick at which it appeared.
    pub start_tick: i32,
    /// The player that shot it (DDNet).
    pub owner: Option<ClientId>,
}

/// A flag of capture the flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flag {
    /// The id of its snapshot item.
    pub id: u16,
    /// Position to the right.
    pub x: i32,
    /// Position downwards.
    pub y: i32,
    /// The team.
    pub team: Team,
}

/// An event at a position since the last snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldEvent {
    /// The id of its snapshot item.
    pub id: u16,
    /// Position to the right.
    pub x: i32,
    /// Position downwards.
    pub y: i32,
    /// The kind.
    pub kind: EventKind,
}

/// The kind of a [`WorldEvent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EventKind {
    /// An explosion.
    Explosion,
    /// A character appeared.
    Spawn,
    /// A hammer hit something.
    HammerHit,
    /// The character of a player died.
    Death(ClientId),
    /// A sound at the position.
    Sound(Sound),
    /// A sound for all players (0.6). DDNet sends a message instead.
    GlobalSound(Sound),
    /// Damage, shown as stars in a direction.
    Damage {
        /// The direction in 256ths of a radian.
        angle: i32,
        /// The damaged player (0.7). In 0.6 each star is a separate event.
        victim: Option<Damage>,
    },
}

/// The damage of a player in 0.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Damage {
    /// The player.
    pub client: ClientId,
    /// The lost health, 0 to 9.
    pub health: i32,
    /// The lost armor, 0 to 9.
    pub armor: i32,
    /// The player hurt itself.
    pub is_self: bool,
}

/// The view of a receiver that is a spectator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spectated {
    /// The kind of the target. In 0.6 it is a player or the free view.
    pub mode: SpecMode,
    /// The player.
    pub player: Option<ClientId>,
    /// Position of the view to the right.
    pub x: i32,
    /// Position of the view downwards.
    pub y: i32,
}

/// An object of DDNet. An object about a character or player has the id of the character or player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExtendedItem {
    /// The id of its snapshot item.
    pub id: u16,
    /// The object.
    pub object: ExtendedObject,
}

impl ExtendedItem {
    /// Returns the UUID of the object's type.
    pub fn uuid(&self) -> u128 {
        self.object.id()
    }
}

impl Pickup {
    /// Returns a pickup of 0.6 by its type and subtype. The types of DDNet that replace armor count as armor.
    pub(crate) fn of_powerup(id: u16, x: i32, y: i32, kind: Powerup, subtype: i32) -> Option<Self> {
        let kind = match (kind, Weapon(subtype)) {
            (Powerup::HEALTH, _) => PickupKind::Health,
            (Powerup::WEAPON, Weapon::HAMMER) => PickupKind::Hammer,
            (Powerup::WEAPON, Weapon::PISTOL) => PickupKind::Pistol,
            (Powerup::WEAPON, Weapon::SHOTGUN) => PickupKind::Shotgun,
            (Powerup::WEAPON, Weapon::GRENADE) => PickupKind::Grenade,
            (Powerup::WEAPON, Weapon::RIFLE) => PickupKind::Rifle,
            (Powerup::NINJA, _) | (Powerup::WEAPON, Weapon::NINJA) => PickupKind::Ninja,
            // Armor, and four kinds of DDNet that replace it.
            (Powerup::ARMOR, _) | (Powerup(4..=7), _) => PickupKind::Armor,
            _ => return None,
        };
        Some(Self { id, x, y, kind })
    }

    /// Converts an object of DDNet.
    pub(crate) fn of_ddnet(id: u16, pickup: &DdnetPickup) -> Option<Self> {
        Self::of_powerup(id, pickup.x, pickup.y, pickup.kind, pickup.subtype)
    }
}

impl Laser {
    /// Converts an object of DDNet.
    pub(crate) fn of_ddnet(id: u16, laser: &DdnetLaser) -> Self {
        Self {
            id,
            x: laser.to_x,
            y: laser.to_y,
            from_x: laser.from_x,
            from_y: laser.from_y,
            start_tick: laser.start_tick.0,
            owner: ClientId::from_wire(laser.owner),
        }
    }
}

impl Projectile {
    /// Converts an object of DDNet. Its position is in 100ths, and its direction is in millionths.
    pub(crate) fn of_ddnet(id: u16, projectile: &DdnetProjectile) -> Self {
        let (vel_x, vel_y) = (f64::from(projectile.vel_x) / 1e6, f64::from(projectile.vel_y) / 1e6);
        let length = vel_x.hypot(vel_y);
        let is_normalized = projectile.flags.contains(ProjectileFlags::NORMALIZE_VEL) && length > 0.0;
        let scale = if is_normalized { 100.0 / length } else { 100.0 };
        Self {
            id,
            x: projectile.x.div_euclid(100),
            y: projectile.y.div_euclid(100),
            vel_x: (vel_x * scale).round() as i32,
            vel_y: (vel_y * scale).round() as i32,
            weapon: projectile.kind,
            start_tick: projectile.start_tick.0,
            owner: ClientId::from_wire(projectile.owner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::value::Tick;

    #[test]
    fn a_projectile_of_ddnet_is_shown_in_the_units_of_teeworlds() {
        let flags = ProjectileFlags::NORMALIZE_VEL;
        let (vel_x, vel_y, start_tick) = (3_000_000, -4_000_000, Tick(7));
        let sent = DdnetProjectile {
            x: 12_345,
            y: -50,
            vel_x,
            vel_y,
            start_tick,
            owner: 5,
            flags,
            ..Default::default()
        };
        let shown = Projectile::of_ddnet(9, &sent);
        assert_eq!((shown.x, shown.y, shown.vel_x, shown.vel_y), (123, -1, 60, -80));
        assert_eq!((shown.id, shown.owner, shown.start_tick), (9, Some(ClientId(5)), 7));
    }
}
