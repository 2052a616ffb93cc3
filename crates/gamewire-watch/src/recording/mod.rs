//! Records datagrams and streams as captures: frames with generated headers.

mod files;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod files_tests;
mod headers;
mod names;
mod recorder;
mod state;
mod stream;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod stream_tests;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;

pub use files::{MAX_DELAYED_PACKETS, RecordedSides, Recording, RecordingConfig, Rotation};
pub use recorder::{RecordError, Recorder};
pub use state::StateOf;
pub use stream::RecordedStream;
