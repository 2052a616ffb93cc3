//! The generated codec beside the interpreter: the same packets, bits, errors and bytes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]

mod streams;
mod support;
