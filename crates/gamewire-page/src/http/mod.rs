//! The HTTP server of a page.

mod access;
mod assets;
mod body;
mod download;
mod error;
mod events;
mod find;
mod listener;
mod packets;
mod posts;
mod query;
mod routes;
mod server;
mod strangers;

pub use routes::router;
pub use server::{OpenError, PageServer};
