//! Riptide: messages, clients and servers.

mod client;
mod event;
mod message;
mod metrics;
mod server;
mod settings;

pub(crate) use client::RiptideClient;
pub(crate) use message::RiptideMessage;
pub(crate) use server::RiptideServer;
