//! The messages and worlds of a session in 0.6.

mod messages;
mod world;
