//! `gamewire replay`.

mod command;
mod options;
mod riptide;
mod run;
mod session;

pub(crate) use options::Replay;
