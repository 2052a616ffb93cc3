//! From a captured frame to what a game sent: link layer, IP, fragments, UDP, and TCP as ordered bytes.
//!
//! * [`Decoder`] takes one [`Frame`](crate::capture::Frame) and gives its [`Payload`]. It keeps nothing but
//!   the IP fragments of datagrams that are not complete, within [`DefragLimits`].
//! * [`tcp::Reassembler`] puts the segments of TCP connections in order, within [`tcp::Limits`].
//!
//! Checksums are not verified: on loopback and where the network card computes them, a capture holds
//! unfinished ones. Header fields come from the slices of `etherparse`; which headers follow each other, and
//! what is believed when lengths disagree, is decided here, because a cut packet has to be told from a lying
//! one. Its pool for fragments is not used: by its own documentation it has no limits, and it lets a later
//! fragment overwrite an earlier one.

mod decoder;
mod defrag;
mod headers;
mod payload;
pub mod tcp;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
pub(crate) mod tests;

pub use decoder::Decoder;
pub use defrag::DefragLimits;
pub use payload::{PacketError, Payload, Segment, SkipReason, TcpFlags, Udp};
