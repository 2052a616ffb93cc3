//! What both roles know of a session: its messages and its world, whatever the version.

pub mod message;
pub mod world;

pub use message::{Audience, ClientId, FromClient, FromServer, Input};
pub use world::World;
