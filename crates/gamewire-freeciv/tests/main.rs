//! The integration tests. They are one program, because each program links the whole crate.

mod conversation;
mod delta;
mod follow;
mod frames;
mod generated;
mod packets;
mod path;
mod play;
mod rules;
mod session;
mod world;
