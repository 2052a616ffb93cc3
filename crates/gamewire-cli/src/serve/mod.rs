//! `gamewire serve`: servers for real clients.

mod freeciv;
mod options;
mod riptide;

pub(crate) use freeciv::FreecivReplay;
pub(crate) use options::Serve;
