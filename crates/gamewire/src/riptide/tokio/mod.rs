//! Server and client for programs on tokio.

mod client;
mod client_link;
mod server;

pub use client::Client;
pub use server::Server;
