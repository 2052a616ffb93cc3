//! The shipped definition of Freeciv's protocol: compared with other definitions, and the files generated from it.

mod check;
mod generate;
mod load;

pub(crate) use check::check;
pub(crate) use generate::{generate, is_up_to_date};
