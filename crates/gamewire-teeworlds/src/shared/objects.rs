//! Snapshot objects that differ between 0.6 and 0.7 only in their type number.

use crate::shared::definition::structure;
use crate::shared::value::Sound;

structure! {
    /// A flag of capture the flag.
    Flag "flag" {
        x: i32,
        y: i32,
        team: i32 as 0..=1,
    }
    /// The position that all events have.
    Common "common" {
        x: i32,
        y: i32,
    }
    /// An explosion.
    Explosion "explosion" {
        at: Common,
    }
    /// A character appeared.
    Spawn "spawn" {
        at: Common,
    }
    /// A hammer hit something.
    HammerHit "hammer_hit" {
        at: Common,
    }
    /// A sound at a position.
    SoundWorld "sound_world" {
        at: Common,
        sound_id: Sound,
    }
}
