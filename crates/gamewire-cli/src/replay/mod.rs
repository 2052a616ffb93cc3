//! `gamewire replay`: plays one side of a recorded game.

mod command;
mod freeciv;
mod options;
mod riptide;
mod run;
mod running;

pub(crate) use options::Replay;
