//! `gamewire info`: server information.

mod freeciv;
mod json;
mod run;
mod text;

pub(crate) use run::Info;
