//! Snapshot objects that differ between 0.6 and 0.7 only in their type number.

use crate::shared::definition::structure;
use crate::shared::value::Sound;

structure! {
    /// A flag of capture the flag.
    Item Flag "flag" {
        /// Horizontal position in 32nds of a tile.
        x: i32,
        /// Vertical position in 32nds of a tile, downwards.
        y: i32,
        team: i32 as 0..=1,
    }
}

structure! {
    /// The position that all events have.
    Item Common "common" {
        /// Horizontal position in 32nds of a tile.
        x: i32,
        /// Vertical position in 32nds of a tile, downwards.
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
    /// A sound at a position.
    Item SoundWorld "sound_world" {
        at: Common,
        sound_id: Sound,
    }
}
