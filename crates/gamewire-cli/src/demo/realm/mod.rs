//! A small game of Freeciv: a server with a world of our own, and who plays on it.

mod island;
mod nation;
mod ruler;
mod server;

pub(super) use ruler::FreecivDemoClient;
pub(super) use server::FreecivDemoServer;
