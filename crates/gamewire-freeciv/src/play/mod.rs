//! A player: a client that keeps the world and matches replies to orders.
//!
//! A [`Player`] is a [`Machine`](gamewire_machine::Machine) that wraps a
//! [`Client`](crate::session::client::Client). It applies each packet of the server to its
//! [`World`](crate::world::World) without a copy. Each order gets an [`OrderId`], under which its [`OrderReply`] is
//! stored once the server has processed it.

mod event;
mod machine;
mod pending_orders;
mod player;
mod state;

pub use event::Event;
pub use pending_orders::{Answer, OrderId, OrderOutcome, OrderReply};
pub use player::Player;
