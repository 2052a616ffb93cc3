//! `gamewire inspect`: decodes a capture, or one direction of a connection in a file.

mod dump;
mod extract;
mod input;
mod live;
mod options;
mod output;
mod page;
mod parallel;
mod run;
mod save;
mod status;
mod stream;
mod table;
mod tables;
mod totals;
mod view;

pub(crate) use options::Inspect;
pub(crate) use stream::is_capture;
