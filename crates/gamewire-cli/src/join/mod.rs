//! `gamewire join`: a headless player on a real server.

mod freeciv;
mod options;
mod riptide;
mod run;
mod teeworlds;

pub(crate) use options::Join;
