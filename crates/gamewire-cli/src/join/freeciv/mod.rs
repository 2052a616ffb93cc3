//! A player, or somebody who watches, on a server of Freeciv.

mod board;
mod bytes;
mod describe;
mod game;
mod password;
mod plan;
mod run;
mod sentence;
mod summary;
mod turns;
