//! A path finder for one tee, which walks, jumps and hooks.
//!
//! It searches with the movement itself: each step of a [`Path`] is an input for a tick. The tee on the server moves
//! along the path if nothing else acts on it.
//!
//! Limits: it does not use weapons, other tees, switches or teleporters with several exits, because the server chooses one
//! by a secret random number. It never enters tiles that freeze or kill. The search is not exhaustive: it tries a few
//! directions of the hook, holds each input for some ticks, and treats similar states as equal. So [`NoPath::GaveUp`] does not
//! prove that there is no path.

mod field;
mod finder;
mod search;
#[cfg(test)]
mod tests;

pub use finder::{NoPath, Path, PathFinder};
