//! The HTTP server of a page.

mod access;
mod assets;
mod download;
mod error;
mod events;
mod listener;
mod packets;
mod posts;
mod query;
mod routes;
mod server;

pub use server::{OpenError, PageServer};
