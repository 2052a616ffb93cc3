//! `gamewire demo`: servers and players of every dialect on this machine, and what they say.

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
