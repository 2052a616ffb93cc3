//! `gamewire info`: server information.

mod json;
mod run;
mod text;

pub(crate) use run::Info;
