//! What the verbs that speak Freeciv share.

mod definition;

pub(crate) use definition::definition;
