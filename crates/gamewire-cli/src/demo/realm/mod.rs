//! A small game of Freeciv: a server with a world of our own, and who plays on it.

mod island;
mod nation;
mod ruler;
mod server;

pub(super) use ruler::Ruler;
pub(super) use server::Realm;
