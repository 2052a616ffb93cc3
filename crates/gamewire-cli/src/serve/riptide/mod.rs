//! `gamewire serve riptide`: a relay server.

mod command;
mod describe;
mod forwarded;
mod host;
mod keeper;
mod options;
mod plan;
mod relay;
mod run;
mod totals;

pub(super) use options::RiptideRelay;
