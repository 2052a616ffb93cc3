//! `gamewire serve`: servers for real clients.

mod options;
mod riptide;

pub(crate) use options::Serve;
