//! A player: a client that keeps the world and knows what became of its orders.
//!
//! A [`Player`] is a [`Stream`](gamewire_machine::Stream) machine like the
//! [`Client`](crate::session::client::Client) in it. Each packet of the server goes into its
//! [`World`](crate::world::World); each order gets a [`OrderId`], under which its [`OrderReply`] is found
//! once the server has dealt with it.

mod answer;
mod answers;
mod event;
mod machine;
mod own;
mod player;

pub use answer::{OrderId, OrderOutcome, OrderReply};
pub use event::Event;
pub use player::Player;
