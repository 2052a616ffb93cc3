//! `gamewire join`: a player without a screen on a real server.

mod options;
mod run;
mod teeworlds;

pub(crate) use options::Join;
