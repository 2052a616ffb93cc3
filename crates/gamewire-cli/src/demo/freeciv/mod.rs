//! A small game of Freeciv: a server with an invented world, and its clients.

mod client;
mod player;
mod rules;
mod server;

pub(super) use client::FreecivDemoClient;
pub(super) use server::FreecivDemoServer;
