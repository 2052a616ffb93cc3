//! What a session says and shows, in the messages and objects of 0.6.

mod client;
mod codec;
mod server;
mod world;
