//! A small game of Freeciv: a server with an invented world and rules, and its clients, which the scripted opponent
//! plays.

mod city;
mod client;
mod game;
mod land;
mod rules;
mod server;
mod summary;
mod unit;

pub(super) use client::FreecivDemoClient;
pub(super) use server::FreecivDemoServer;
