//! Records the datagrams and streams of a driver as a capture: frames with generated headers.

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
