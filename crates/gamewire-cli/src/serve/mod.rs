//! `gamewire serve`: servers for real clients.

mod freeciv;
mod listen;
mod options;
mod riptide;

pub(crate) use options::Serve;
