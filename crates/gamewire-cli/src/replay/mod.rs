//! `gamewire replay`.

mod command;
mod options;
mod run;
mod server;

pub(crate) use options::Replay;
