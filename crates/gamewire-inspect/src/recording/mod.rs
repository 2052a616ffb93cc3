//! What was sent, as a capture: datagrams and streams that a driver saw become frames with headers of their own.

mod headers;
mod recorder;
mod stream;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod stream_tests;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;

pub use recorder::{RecordError, Recorder};
pub use stream::RecordedStream;
