//! The shipped definition of Freeciv's protocol: compares it with other definitions, and generates files from it.

mod check;
mod generate;
mod load;

pub(crate) use check::check;
pub(crate) use generate::{generate, is_up_to_date};
