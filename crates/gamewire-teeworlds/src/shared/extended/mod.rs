//! Messages and objects with UUIDs, which DDNet adds to 0.6 and 0.7.

pub mod game;
pub mod names;
pub mod object;
pub mod system;
pub mod value;

pub use game::ExtendedGame;
pub use object::ExtendedObject;
pub use system::ExtendedSystem;
