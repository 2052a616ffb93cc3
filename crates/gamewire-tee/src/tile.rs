//! Tiles of the layers that the physics uses.

/// A tile of the game or front layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MapTile {
    /// Kind of the tile.
    pub index: u8,
    /// Flip and rotation, as in the file.
    pub flags: u8,
}

/// A tile of the teleporter layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TeleTile {
    /// Number that entrances and exits share.
    pub number: u8,
    /// Kind of the tile.
    pub id: u8,
}

/// A tile of the speedup layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpeedupTile {
    /// Acceleration per tick.
    pub force: u8,
    /// Speed limit in fifths; 0 for none.
    pub max_speed: u8,
    /// Kind of the tile.
    pub id: u8,
    /// Direction in degrees.
    pub angle: i16,
}

/// A tile of the switch layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SwitchTile {
    /// Number of the switch.
    pub number: u8,
    /// Kind of the tile.
    pub id: u8,
    /// Flip and rotation, as in the file.
    pub flags: u8,
    /// Seconds, or another number that the kind needs.
    pub delay: u8,
}

/// A stopper that a door puts on a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Door {
    /// Kind of the stopper; 0 for none.
    pub(crate) index: u8,
    pub(crate) flags: u8,
    /// Number of the switch that opens the door.
    pub(crate) number: u8,
}

/// Flags of a tile.
pub(crate) mod flags {
    pub(crate) const X_FLIP: u8 = 1;
    pub(crate) const Y_FLIP: u8 = 2;
    pub(crate) const ROTATE: u8 = 8;
    pub(crate) const ALL: u8 = X_FLIP | Y_FLIP | ROTATE;
    pub(crate) const ROTATION_0: u8 = 0;
    pub(crate) const ROTATION_90: u8 = ROTATE;
    pub(crate) const ROTATION_180: u8 = X_FLIP | Y_FLIP;
    pub(crate) const ROTATION_270: u8 = X_FLIP | Y_FLIP | ROTATE;
}

/// Kinds of tiles.
#[allow(missing_docs, reason = "the names are those of the rules")]
pub(crate) mod id {
    pub(crate) const SOLID: u8 = 1;
    pub(crate) const DEATH: u8 = 2;
    pub(crate) const NO_HOOK: u8 = 3;
    pub(crate) const THROUGH_CUT: u8 = 5;
    pub(crate) const THROUGH: u8 = 6;
    pub(crate) const SWITCH_JUMPS: u8 = 7;
    pub(crate) const FREEZE: u8 = 9;
    pub(crate) const TELE_IN_EVIL: u8 = 10;
    pub(crate) const UNFREEZE: u8 = 11;
    pub(crate) const DEEP_FREEZE: u8 = 12;
    pub(crate) const DEEP_UNFREEZE: u8 = 13;
    pub(crate) const TELE_IN_HOOK: u8 = 15;
    pub(crate) const WALL_JUMP: u8 = 16;
    pub(crate) const ENDLESS_HOOK_ON: u8 = 17;
    pub(crate) const ENDLESS_HOOK_OFF: u8 = 18;
    pub(crate) const HIT_ON: u8 = 19;
    pub(crate) const HIT_OFF: u8 = 20;
    pub(crate) const SOLO_ON: u8 = 21;
    pub(crate) const SOLO_OFF: u8 = 22;
    pub(crate) const SWITCH_TIMED_OPEN: u8 = 22;
    pub(crate) const SWITCH_TIMED_CLOSE: u8 = 23;
    pub(crate) const SWITCH_OPEN: u8 = 24;
    pub(crate) const SWITCH_CLOSE: u8 = 25;
    pub(crate) const TELE_IN: u8 = 26;
    pub(crate) const TELE_OUT: u8 = 27;
    pub(crate) const SPEEDUP_NEW: u8 = 29;
    pub(crate) const TELE_CHECK: u8 = 29;
    pub(crate) const TELE_CHECK_OUT: u8 = 30;
    pub(crate) const TELE_CHECK_IN: u8 = 31;
    pub(crate) const REFILL_JUMPS: u8 = 32;
    pub(crate) const STOP: u8 = 60;
    pub(crate) const STOP_BOTH: u8 = 61;
    pub(crate) const STOP_ALL: u8 = 62;
    pub(crate) const TELE_CHECK_IN_EVIL: u8 = 63;
    pub(crate) const THROUGH_ALL: u8 = 66;
    pub(crate) const THROUGH_DIR: u8 = 67;
    pub(crate) const PLAYER_COLLISION_OFF: u8 = 88;
    pub(crate) const ENDLESS_JUMP_OFF: u8 = 89;
    pub(crate) const JETPACK_OFF: u8 = 90;
    pub(crate) const HOOK_OTHERS_OFF: u8 = 91;
    pub(crate) const PLAYER_COLLISION_ON: u8 = 104;
    pub(crate) const ENDLESS_JUMP_ON: u8 = 105;
    pub(crate) const JETPACK_ON: u8 = 106;
    pub(crate) const HOOK_OTHERS_ON: u8 = 107;
    pub(crate) const LIVE_FREEZE: u8 = 144;
    pub(crate) const LIVE_UNFREEZE: u8 = 145;
    /// The entity 0 of the game layer, which does not exist.
    pub(crate) const ENTITY_OFFSET: u8 = 191;
}
