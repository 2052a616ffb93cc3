//! `gamewire inspect`: decodes a capture, or one direction of a connection in a file.

mod dump;
mod extract;
mod input;
mod live;
mod options;
mod output;
mod run;
mod save;
mod status;
mod stream;
mod table;
mod tables;

pub(crate) use options::Inspect;
