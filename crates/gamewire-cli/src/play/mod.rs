//! The verb `play`: a Freeciv player for a program in any language, by JSON lines.

mod changes;
mod describe;
mod options;
mod order;
mod pending;
mod request;
mod run;
mod session;

pub(crate) use options::Play;
