//! Snapshot objects that are the same in 0.6 and 0.7 but for their types.

use crate::shared::definition::structure;
use crate::shared::value::Sound;

structure! {
    /// A flag of capture the flag.
    Item Flag "flag" {
        /// Place, in 32nds of a tile to the right.
        x: i32,
        /// Place, in 32nds of a tile downwards.
        y: i32,
        team: i32 as 0..=1,
    }
}

structure! {
    /// What all events have: a place.
    Item Common "common" {
        /// Place, in 32nds of a tile to the right.
        x: i32,
        /// Place, in 32nds of a tile downwards.
        y: i32,
    }
}

structure! {
    /// An explosion.
    Item Explosion "explosion" {
        at: Common,
    }
}

structure! {
    /// A character appeared.
    Item Spawn "spawn" {
        at: Common,
    }
}

structure! {
    /// A hammer hit something.
    Item HammerHit "hammer_hit" {
        at: Common,
    }
}

structure! {
    /// A sound at a place.
    Item SoundWorld "sound_world" {
        at: Common,
        sound_id: Sound,
    }
}
