//! The frame loop.

mod carried;
mod client;
mod client_link;
mod clock;
mod server;
mod server_link;

pub use client::Client;
pub use server::Server;
