//! The messages and worlds of the model in 0.7.

mod messages;
mod world;
