//! Contenders whose datagrams are passed in memory.

pub(crate) mod ours;
pub(crate) mod renet;

use std::time::Duration;

/// Duration of a frame.
const FRAME: Duration = Duration::from_micros(16_667);
