//! Server and client for programs on tokio.

mod client;
mod server;

pub use client::Client;
pub use server::Server;
