//! A player or observer on a Freeciv server.

mod control;
mod describe;
mod password;
mod plan;
mod run;
mod session;
mod stats;
