//! TCP connections as ordered bytes.
//!
//! The policy is the same for every input:
//! * The first bytes for a position in the stream are used; later ones are dropped.
//! * The reassembler waits for missing bytes until one direction buffers more than [`ReassemblyLimits::per_direction`],
//!   all directions more than [`ReassemblyLimits::total`], or [`ReassemblyLimits::gap_timeout_ns`] passed without
//!   progress. Then it reports a [`TcpEvent::Gap`] and drops the missing bytes even if they arrive later.
//! * A connection without a captured SYN begins with its first segment with data.
//! * FIN and RST take effect at their sequence number: an RST ahead of the data waits for it, and an older one is
//!   ignored. After the end, only a new SYN has an effect.
//! * When [`ReassemblyLimits::connections`] are open, a new connection replaces one that had no segment for a full
//!   round of the clock hand. A connection with a single segment counts as idle, so that a flood of half-open
//!   connections replaces only itself.

mod connection;
mod event;
mod reassembler;
mod stream;

pub use event::{Delivery, ReassemblyLimits, TcpEvent};
pub use reassembler::Reassembler;
