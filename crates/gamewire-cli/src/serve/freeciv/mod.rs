//! `gamewire serve freeciv`: replays a recorded game to every client.

mod options;
mod recording;
mod run;
mod server;

pub(super) use options::FreecivReplay;
