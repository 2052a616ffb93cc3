//! The messages and worlds of a session in 0.7.

mod messages;
mod world;
