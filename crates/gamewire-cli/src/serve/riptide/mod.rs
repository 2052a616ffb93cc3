//! `gamewire serve riptide`: a relay server.

mod command;
mod describe;
mod figures;
mod forwarded;
mod options;
mod relay;
mod run;
mod server;
mod stats;
mod status;

pub(super) use options::RiptideRelay;
