//! `gamewire serve freeciv`: replays a recorded game to every client.

mod recording;
mod run;
mod server;

pub(crate) use run::FreecivReplay;
