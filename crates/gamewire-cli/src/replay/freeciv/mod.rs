//! Recordings of Freeciv: their server for every client, or their client for a server.

mod listen;
mod player;
mod recording;
mod server;
