//! `gamewire info`: server information.

mod json;
mod options;
mod run;
mod text;

pub(crate) use options::Info;
