//! Events of `join` and `serve`, as text or JSON.

mod event;
mod json;
mod output;
mod text;

pub(crate) use event::{OutputEvent, Value};
pub(crate) use output::Output;
