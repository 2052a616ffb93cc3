//! The verb `play`: a program in any language plays Freeciv through JSON lines.

mod changes;
mod describe;
mod options;
mod order;
mod pending;
mod request;
mod run;
mod session;

pub(crate) use options::Play;
