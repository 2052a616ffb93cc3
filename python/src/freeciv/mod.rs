//! Freeciv: servers on this machine, and players.

mod player;
mod server;

pub(crate) use player::FreecivPlayer;
pub(crate) use server::LocalServer;
