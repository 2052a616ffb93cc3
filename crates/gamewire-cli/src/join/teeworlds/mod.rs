//! A player without a screen on a server of Teeworlds.

mod describe;
mod game;
mod maps;
mod run;
mod summary;
