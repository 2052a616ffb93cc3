//! What happens, as the verbs that play tell it: each event once, for people and as JSON.

mod event;
mod json;
mod output;
mod text;

pub(crate) use event::{OutputEvent, Value};
pub(crate) use output::Output;
