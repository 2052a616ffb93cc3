//! `gamewire join`: a player without a screen on a real server.

mod describe;
mod game;
mod json;
mod lines;
mod maps;
mod options;
mod run;
mod summary;
mod text;

pub(crate) use options::Join;
