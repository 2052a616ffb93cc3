//! The messages of the movement server and its clients. In C# they are `message.AddUInt(tick).AddFloat(x)` and so on,
//! in the order of the fields.

use gamewire::riptide::{Message, Value, Vector2};

/// The client's desired direction.
#[derive(Debug, Message)]
#[message(id = 1, mode = "unreliable")]
pub(crate) struct Steer {
    /// Sequence number, so that late ones can be recognized.
    pub(crate) tick: u32,
    pub(crate) direction: Vector2,
}

/// The positions of the players, which the server sends to them 20 times per second.
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
