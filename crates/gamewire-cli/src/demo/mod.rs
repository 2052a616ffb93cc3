//! `gamewire demo`: servers and clients of every dialect on this machine.

mod figures;
mod guest;
mod options;
mod player;
mod realm;
mod room;
mod run;
mod screen;
mod stage;
mod totals;
mod watch;
mod words;

pub(crate) use options::Demo;
