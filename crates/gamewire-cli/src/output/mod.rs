//! Events of `join` and `serve`, as text or JSON.

mod event;
mod render;
mod writer;

pub(crate) use event::{OutputEvent, Value};
pub(crate) use writer::{Output, palette};
