//! Splitting streams into frames, and writing frames to streams.

mod attacks;
mod cuts;
mod memory;
mod mutations;
mod support;
mod widths;
mod writing;
