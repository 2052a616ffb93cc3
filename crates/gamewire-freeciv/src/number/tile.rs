use super::macros::numbers;

numbers! {
    /// How well a player knows a tile.
    Known: u8;
    0 => UNKNOWN "unknown", 1 => FOGGED "fogged", 2 => SEEN "seen",
}
