//! `gamewire demo`: servers and players of every dialect on this machine, and what they say.

mod figures;
mod options;
mod player;
mod run;
mod screen;
mod watch;

pub(crate) use options::Demo;
