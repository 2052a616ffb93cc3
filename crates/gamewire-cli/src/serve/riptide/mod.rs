//! `gamewire serve riptide`: a relay server.

mod command;
mod describe;
mod forwarded;
mod options;
mod relay;
mod run;
mod server;
mod stats;

pub(super) use options::RiptideRelay;
