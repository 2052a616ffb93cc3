//! `gamewire compile`: what a packet definition of Freeciv says.

mod options;
mod output;
mod run;
mod source;

pub(crate) use options::Compile;
pub(crate) use source::load;
