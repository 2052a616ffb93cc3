//! `gamewire serve freeciv`: replays a recorded game to every client.

mod describe;
mod options;
mod recording;
mod run;
mod server;
mod totals;

pub(super) use options::FreecivReplay;
