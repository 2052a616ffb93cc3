use thiserror::Error;

use crate::codec::TextError;

/// Why an order cannot be said.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// One has no part in the game: there is no player to give orders.
    #[error("no player to give orders for")]
    NoPlayer,
    /// There is no such unit, or it is not seen.
    #[error("no unit with the id {0}")]
    NoUnit(u16),
    /// There is no such city, or it is not known.
    #[error("no city with the id {0}")]
    NoCity(u16),
    /// The ruleset has nothing of that name.
    #[error("the rules have no {0:?}")]
    NoRule(String),
    /// There is no tile in that direction, or none with that number.
    #[error("no such tile")]
    NoTile,
    /// No way is known to lead there.
    #[error("no way from tile {from} to tile {to} is known")]
    NoPath {
        /// Where it begins.
        from: i32,
        /// Where it should end.
        to: i32,
    },
    /// There are more steps, or more things on a list, than one packet takes.
    #[error("more than {max} at once")]
    TooMany {
        /// How many it takes.
        max: usize,
    },
    /// A name or a line is too long, or has a NUL.
    #[error(transparent)]
    Text(#[from] TextError),
}
