//! What the movement server and its clients say. In C# the same messages are `message.AddUInt(tick)
//! .AddFloat(x)`, and so on, in the order of the fields.

use gamewire::riptide::{Message, Value, Vector2};

/// To the server: where I want to go.
#[derive(Debug, Message)]
#[message(id = 1, mode = "unreliable")]
pub(crate) struct Steer {
    /// Counts up, so that late ones are known as such.
    pub(crate) tick: u32,
    pub(crate) direction: Vector2,
}

/// To all, 20 times a second: where everybody is.
#[derive(Debug, Message)]
#[message(id = 2, mode = "unreliable")]
pub(crate) struct Positions {
    pub(crate) tick: u32,
    pub(crate) players: Vec<Position>,
}

#[derive(Debug, Value)]
pub(crate) struct Position {
    pub(crate) player: u16,
    pub(crate) at: Vector2,
}
