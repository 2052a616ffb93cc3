//! Recordings of captured games.

mod rotated;
