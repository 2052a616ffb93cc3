//! `gamewire serve riptide`: a room in which clients of Riptide meet.

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
