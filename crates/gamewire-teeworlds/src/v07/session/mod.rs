//! The messages and worlds of a session in 0.7.

mod client;
mod codec;
mod server;
mod world;
