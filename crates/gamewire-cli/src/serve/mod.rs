//! `gamewire serve`: servers to play on.

mod freeciv;
mod options;
mod riptide;

pub(crate) use options::Serve;
