//! Capture files: pcap and pcapng in, as a stream of [`Frame`]s; pcapng out, by a [`Writer`].
//!
//! This crate reads both formats itself. A damaged capture must yield every valid packet, so the reader has to know
//! where a bad block begins, which length it claims, and how to find the next plausible one. The available parsers
//! cannot continue after a bad block, and need a buffer of the size that a block claims. Both formats are a few fixed
//! fields and a length, so this is little code.
//!
//! * One buffer is reused: a [`Frame`] borrows from it, and no packet costs an allocation.
//! * The buffer grows only when bytes have filled it, up to [`MAX_RECORD`] and some slack.
//! * A record or block that contradicts itself is reported once. Then the reader searches for the next valid position:
//!   in pcapng a known block with two equal lengths, in pcap a chain of three plausible record headers. A truncated
//!   end is one error.
//!
//! Formats: draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.

mod error;
mod frame;
mod pcap;
mod pcapng;
mod reader;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod window;
mod writer;

pub use error::{CaptureError, Damage};
pub use frame::{Frame, LinkType, STATE_INTERFACE};
pub use reader::{FileFormat, Reader};
pub use window::MAX_RECORD;
pub use writer::{WriteError, Writer, create_file};
