//! A small game of Freeciv: a server with an invented world and rules, and its clients, which the scripted opponent
//! plays.

mod client;
mod game;
mod rules;
mod server;
mod summary;

pub(super) use client::FreecivDemoClient;
pub(super) use server::FreecivDemoServer;
