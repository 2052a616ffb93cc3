//! `gamewire inspect`: decodes a capture, or one direction of a connection in a file.

mod dump;
mod input;
mod options;
mod output;
mod run;
mod status;
mod stream;

pub(crate) use options::Inspect;
