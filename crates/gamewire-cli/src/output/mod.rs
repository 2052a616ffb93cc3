//! Events of `join` and `serve`, as text or JSON.

mod event;
mod writer;

pub(crate) use event::{OutputEvent, Value, event};
pub(crate) use writer::{Output, palette};
