//! Contenders whose datagrams are handed over in memory.

pub(crate) mod ours;
pub(crate) mod renet;

use std::time::Duration;

/// The time of a frame.
const FRAME: Duration = Duration::from_micros(16_667);
