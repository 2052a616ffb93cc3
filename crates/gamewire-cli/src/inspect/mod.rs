//! `gamewire inspect`: decodes a capture, or one direction of a connection in a file.

mod dump;
mod fields;
mod input;
mod options;
mod output;
mod run;
mod stream;
mod talk;

pub(crate) use input::in_words;
pub(crate) use options::Inspect;
