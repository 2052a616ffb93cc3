//! `gamewire play`: a player that a program controls by lines of JSON.

mod options;
mod rights;
mod run;
mod server;
mod session;

pub(crate) use options::Play;
