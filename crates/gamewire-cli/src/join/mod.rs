//! `gamewire join`: a headless player on a real server.

mod freeciv;
mod help;
mod options;
mod riptide;
mod run;
mod teeworlds;

pub(crate) use help::help_by_protocol;
pub(crate) use options::Join;
