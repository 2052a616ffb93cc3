//! The messages and worlds of a session in 0.7.

mod client;
mod server;
mod world;
