//! The integration tests. They are one program, because each program links the whole crate.

mod merged;
#[cfg(all(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
mod names;
#[cfg(feature = "riptide")]
mod riptide;
mod shares;
mod support;
