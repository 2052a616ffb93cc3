//! The world at the present, computed from snapshots.
//!
//! A server sends a tee again only when the tee differs from what every client computes: without input, with the default
//! tunings, in a world without other tees. So the [`Character`](crate::model::world::Character) of a snapshot can be three
//! seconds old: its `tick` is the tick of its position. [`World::at`](crate::model::World::at) computes the rest, as the games' clients do.
//! [`Client::predicted`](crate::Client::predicted) also applies the inputs that the client has sent, so that the client's
//! own tee is where the server will have it when the next input arrives.
//!
//! Both need the map. Without one, tees do not collide with it: see [`Basis`].

mod convert;
mod own;
mod reckoning;
mod sent_inputs;

pub(crate) use own::predict;
pub use own::{Basis, Predicted};
pub use reckoning::{MAX_AGE, MAX_AHEAD};
pub(crate) use sent_inputs::SentInputs;
