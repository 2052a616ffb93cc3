//! `gamewire compile`: packet definitions of Freeciv.

mod options;
mod run;
mod source;

pub(crate) use options::Compile;
pub(crate) use source::{definition, load};
