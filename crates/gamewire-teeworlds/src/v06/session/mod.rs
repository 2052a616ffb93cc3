//! The messages and worlds of a session in 0.6.

mod client;
mod server;
mod world;
