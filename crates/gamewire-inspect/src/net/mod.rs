//! Extracts payloads from captured frames: link layer, IP, fragments, UDP, and TCP as ordered bytes.
//!
//! * [`Decoder`] returns the [`Payload`] of a [`Frame`](crate::capture::Frame). Its only state is the IP
//!   fragments of incomplete datagrams, within [`DefragLimits`].
//! * [`tcp::Reassembler`] puts the segments of TCP connections in order, within [`tcp::ReassemblyLimits`].
//!
//! Checksums are not verified, because captures contain incomplete ones on loopback and with checksum offload.
//! Header fields are read by the slices of `etherparse`. This module decides which headers follow each other,
//! and which length is used if lengths disagree, because it must distinguish truncated packets from malformed
//! ones. It does not use etherparse's fragment pool, which has no limits and lets a later fragment overwrite an
//! earlier one.

mod decoder;
mod defrag;
mod payload;
pub mod tcp;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
pub(crate) mod tests;

pub use decoder::Decoder;
pub use defrag::DefragLimits;
pub use payload::{PacketError, Payload, Segment, SkipReason, TcpFlags, Udp};
