//! `gamewire info`: what a server says of itself.

mod json;
mod options;
mod run;
mod text;

pub(crate) use options::Info;
