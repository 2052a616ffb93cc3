//! Teehistorian files, in which DDNet's servers record the inputs and positions of all tees (`sv_tee_historian 1`).
//!
//! ```no_run
//! use gamewire_tee::teehistorian::{Record, Teehistorian};
//!
//! let file = std::fs::read("game.teehistorian")?;
//! for entry in Teehistorian::parse(&file)? {
//!     let entry = entry?;
//!     if let Record::PlayerMoved { player, x, y } = entry.record {
//!         println!("tick {}: tee {player} at {x}, {y}", entry.tick);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cursor;
mod error;
mod reader;
mod record;

pub use error::{TeehistorianError, TeehistorianErrorKind};
pub use reader::{Entry, Teehistorian};
pub use record::{MAX_PLAYERS, Record};
