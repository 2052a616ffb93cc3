//! `gamewire replay`.

mod command;
mod options;
mod run;
mod session;

pub(crate) use options::Replay;
