//! Recorded games of Teeworlds and DDNet.

mod recording;
mod server;
mod viewer;

pub use recording::{RecordingError, TeeworldsRecording};
pub use server::{Event, TeeworldsReplay, ViewerId};
