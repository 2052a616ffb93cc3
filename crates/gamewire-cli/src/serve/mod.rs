//! `gamewire serve`: servers to play on.

mod options;
mod riptide;

pub(crate) use options::Serve;
