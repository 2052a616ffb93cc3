//! `gamewire demo`: servers and clients of every dialect on this machine.

mod figures;
mod freeciv;
mod games;
mod map;
mod messages;
mod proxies;
mod riptide;
mod run;
mod screen;
mod sink;
mod stats;
mod teeworlds;
mod terminal;

pub(crate) use run::Demo;
