//! Messages and objects that DDNet adds under UUIDs, in 0.6 and 0.7 alike.

pub mod game;
pub mod names;
pub mod object;
pub mod system;
pub mod value;

pub use game::ExtendedGame;
pub use object::ExtendedObject;
pub use system::ExtendedSystem;
