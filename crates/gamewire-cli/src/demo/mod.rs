//! `gamewire demo`: servers and clients of every dialect on this machine.

mod freeciv;
mod games;
mod messages;
mod monitor;
mod riptide;
mod run;
mod screen;
mod stats;
mod teeworlds;

pub(crate) use run::Demo;
