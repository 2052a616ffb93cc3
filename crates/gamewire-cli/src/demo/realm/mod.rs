//! A small game of Freeciv: a server with an invented world, and its clients.

mod island;
mod nation;
mod ruler;
mod server;

pub(super) use ruler::FreecivDemoClient;
pub(super) use server::FreecivDemoServer;
