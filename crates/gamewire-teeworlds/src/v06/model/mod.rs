//! The messages and worlds of the model in 0.6.

mod messages;
mod world;
