//! `gamewire inspect`: explains a capture.

mod fields;
mod input;
mod options;
mod output;
mod run;
mod talk;

pub(crate) use input::in_words;
pub(crate) use options::Inspect;
