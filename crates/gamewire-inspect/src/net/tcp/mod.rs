//! TCP connections as ordered bytes.
//!
//! The policy, the same for every input:
//! * The first bytes to arrive for a place in the stream win; later ones are dropped, equal or not.
//! * A hole is waited for until one direction buffers more than [`Limits::per_direction`], all of them more
//!   than [`Limits::total`], or [`Limits::patience_ns`] passed without progress. Then it is reported as
//!   [`TcpEvent::Gap`] and left open for good.
//! * A connection whose SYN was not seen begins with its first segment that holds data.
//! * FIN and RST take effect where their sequence number says, not where they arrive: an RST that lies ahead
//!   of the data waits for it, and one that lies behind is not believed. After the end nothing counts but
//!   a new SYN.
//! * When [`Limits::connections`] are open, a new one takes the place of one that had no segment for a full
//!   round of the clock hand. One that had a single segment counts as idle, so a flood of half-open connections
//!   displaces itself.

mod connection;
mod event;
mod limits;
mod reassembler;
mod stream;

pub use event::{Delivery, TcpEvent};
pub use limits::ReassemblyLimits;
pub use reassembler::Reassembler;
