//! A player or observer on a Freeciv server.

mod bytes;
mod describe;
mod figures;
mod game;
mod password;
mod plan;
mod run;
mod sentence;
mod summary;
mod turns;
