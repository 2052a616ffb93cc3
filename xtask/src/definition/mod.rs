//! The definition of Freeciv's protocol that is shipped: held against a real one, and what is
//! generated from it.

mod check;
mod generate;
mod load;
mod rust;

pub(crate) use check::check;
pub(crate) use generate::{generate, is_up_to_date};
