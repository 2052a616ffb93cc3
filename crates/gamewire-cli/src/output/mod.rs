//! Events of `join` and `serve`, as text or JSON.

mod event;
mod output;
mod render;

pub(crate) use event::{OutputEvent, Value};
pub(crate) use output::{Output, palette};
