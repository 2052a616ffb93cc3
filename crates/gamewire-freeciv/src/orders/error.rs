use thiserror::Error;

use crate::codec::TextError;

/// Why an order cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// The client does not play.
    #[error("the client has no player")]
    NoPlayer,
    /// The unit does not exist, or is not seen.
    #[error("unknown unit {0}")]
    NoUnit(u16),
    /// The city does not exist, or is not known.
    #[error("unknown city {0}")]
    NoCity(u16),
    /// The ruleset has nothing with this name.
    #[error("the ruleset has no {0:?}")]
    NoRule(String),
    /// There is no tile in the direction, or with the number.
    #[error("no such tile")]
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
    /// A text is too long, or contains a NUL.
    #[error(transparent)]
    Text(#[from] TextError),
}
