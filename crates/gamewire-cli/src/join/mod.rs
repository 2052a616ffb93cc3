//! `gamewire join`: a player without a screen on a real server.

mod for_riptide;
mod for_teeworlds;
mod foreign;
mod options;
mod riptide;
mod run;
mod teeworlds;

pub(crate) use options::Join;
