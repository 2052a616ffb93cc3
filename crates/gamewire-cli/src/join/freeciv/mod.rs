//! A player, or somebody who watches, on a server of Freeciv.

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
