use thiserror::Error;

use crate::codec::{ProtocolVersion, TextError};

/// The error for an order that cannot be expressed as a packet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// The client controls no player.
    #[error("the client has no player")]
    NoPlayer,
    /// The unit does not exist, or is not visible.
    #[error("unknown unit {0}")]
    NoUnit(u32),
    /// The city does not exist, or is not known.
    #[error("unknown city {0}")]
    NoCity(u32),
    /// The ruleset has nothing with this name.
    #[error("the ruleset has no {0:?}")]
    NoRule(String),
    /// There is no tile in the direction, or with the number.
    #[error("no tile in this direction or with this number")]
    NoTile,
    /// No path is known.
    #[error("no known path from tile {from} to tile {to}")]
    NoPath {
        /// The first tile.
        from: i32,
        /// The last tile.
        to: i32,
    },
    /// There are more steps, or more items in a list, than a packet can carry.
    #[error("too many items: at most {max} are allowed")]
    TooMany {
        /// Maximum number of steps or items.
        max: usize,
    },
    /// The version of the server has no packet or action for the order.
    #[error("Freeciv {0} has no packet for this order")]
    Version(ProtocolVersion),
    /// The target or the part of a legal action is not of the kind that the action needs.
    #[error("the action {0:?} needs another kind of target or part")]
    Unfit(String),
    /// A text is too long, or contains a NUL.
    #[error(transparent)]
    Text(#[from] TextError),
}
