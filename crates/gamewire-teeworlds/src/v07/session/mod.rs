//! What a session says and shows, in the messages and objects of 0.7.

mod client;
mod server;
mod words;
mod world;
