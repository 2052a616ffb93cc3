//! `gamewire serve freeciv`: replays a recorded game to every client.

mod describe;
mod keeper;
mod options;
mod recording;
mod run;
mod totals;

pub(super) use options::FreecivReplay;
