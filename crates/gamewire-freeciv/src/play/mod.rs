//! A player: a client that maintains a world and matches replies to orders.
//!
//! A [`Player`] is a [`Machine`](gamewire_machine::Machine) that wraps a [`Client`](crate::session::client::Client). It
//! applies each packet from the server to its [`World`](crate::world::World) without copying the packet. Each order
//! gets an [`OrderId`]. Once the server has processed the order, its [`OrderReply`] is stored under that id.

mod event;
mod order_kind;
mod pending_orders;
mod player;

pub use event::Event;
pub use pending_orders::{Answer, OrderId, OrderOutcome, OrderReply};
pub use player::Player;
