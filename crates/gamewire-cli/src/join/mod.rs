//! `gamewire join`: a headless player on a real server.

mod for_freeciv;
mod for_players;
mod for_riptide;
mod for_teeworlds;
mod foreign;
mod freeciv;
mod options;
mod riptide;
mod run;
mod teeworlds;

pub(crate) use options::Join;
