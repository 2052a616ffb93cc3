//! `gamewire serve riptide`: a relay server.

mod agones;
mod command;
mod describe;
mod drain;
mod forwarded;
mod options;
mod page;
mod relay;
mod reports;
mod run;
mod server;
mod stats;
mod status;

pub(super) use options::RiptideRelay;
